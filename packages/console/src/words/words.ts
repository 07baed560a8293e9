import type { en } from './en/index.ts';

/** What the page says, by feature. English is the shape: another language has the same keys, or does not compile. */
export type Words = typeof en;
