/** How much of something is taken from outside, and what happens to more. docs/LIMITS.md lists them all. */
export interface Limit {
  /** The largest number that is still taken. */
  readonly most: number;
  readonly unit: 'bytes' | 'levels' | 'characters' | 'items' | 'seconds';
  /** The code of the error that more than that ends in (docs/ERRORS.md). */
  readonly code: string;
  /** What is counted. */
  readonly what: string;
  /** Who hears of it when there is more. */
  readonly told: string;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
