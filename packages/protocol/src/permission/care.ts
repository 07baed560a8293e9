/** How a pattern is compared: `sure` must not cover too much (allow), `wary` must not be slipped past (deny, ask). */
export type Care = 'sure' | 'wary';
