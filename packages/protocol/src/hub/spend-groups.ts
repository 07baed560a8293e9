/** What spend is summed up by. */
export const SPEND_GROUPS = ['day', 'model', 'folder', 'person', 'session'] as const;

/** Beyond what anybody spends: a number that was mistyped, or made up. */
export const MOST_USD = 1_000_000;
export const MOST_TOKENS = 1_000_000_000_000;
