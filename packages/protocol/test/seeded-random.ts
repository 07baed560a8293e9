/** Random choices that a seed repeats exactly, so that a failing case can be run again. */
export interface SeededRandom {
  /** A whole number from 0 to `below - 1`. */
  below(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** True once in `times` calls, on average. */
  oneIn(times: number): boolean;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('Nothing to pick from.');
      return item;
    },
    oneIn: (times) => below(times) === 0,
  };
}
