/** Where a reader is: at the end, or at a row, which is known by its entry if it has become another one. */
export type Whereabouts = 'end' | { key: string; seq: number | undefined };

/** The rows that are drawn, and the room that those before and after them take. */
export interface DrawnRows {
  from: number;
  to: number;
  above: number;
  below: number;
}

/** What a row takes that was never drawn. */
export const USUAL_ROW_PX = 64;

/** What rows took when they were last drawn, by their keys: rows come, go and move, and keep their height. */
export class RowHeights {
  readonly #heights = new Map<string, number>();

  of(key: string): number {
    return this.#heights.get(key) ?? USUAL_ROW_PX;
  }

  set(key: string, px: number): void {
    this.#heights.set(key, px);
  }

  /** Of rows that are no more nothing is kept. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#heights.keys()) if (!keys.has(key)) this.#heights.delete(key);
  }

  sum(keys: readonly string[], from = 0, to = keys.length): number {
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += this.of(keys[at] ?? '');
    return sum;
  }

  /** The row that is so far below the first one. */
  at(keys: readonly string[], px: number): number {
    let sum = 0;
    for (const [index, key] of keys.entries()) {
      sum += this.of(key);
      if (sum > px) return index;
    }
    return Math.max(0, keys.length - 1);
  }
}

/** The rows around a place: those in sight, of which the first may be taller than the screen, and so much before and after them. */
export function drawnRows(
  keys: readonly string[],
  place: number | 'end',
  heights: RowHeights,
  { inSight, around }: { inSight: number; around: number },
): DrawnRows {
  const at = place === 'end' ? keys.length : Math.min(place, keys.length);
  let from = at;
  const wantedAbove = place === 'end' ? inSight + around : around;
  for (let px = 0; from > 0 && px < wantedAbove; from -= 1) px += heights.of(keys[from - 1] ?? '');
  let to = Math.min(keys.length, at + 1);
  for (let px = 0; to < keys.length && px < inSight + around; to += 1) px += heights.of(keys[to] ?? '');
  return { from, to, above: heights.sum(keys, 0, from), below: heights.sum(keys, to) };
}
