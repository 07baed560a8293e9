/** Texts that differ more than this are counted as replaced: the exact number takes time in its square. */
const EXACT_UP_TO = 2_000;

/** How many lines come and go when a text is replaced by another. */
export interface LineChanges {
  insertions: number;
  deletions: number;
}

/** Count the lines of the shortest way from one text to the other. */
export function countLineChanges(before: string, after: string): LineChanges {
  const a = linesOf(before);
  const b = linesOf(after);
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const from = a.slice(head, a.length - tail);
  const to = b.slice(head, b.length - tail);
  const steps = shortestEdit(from, to);
  const growth = to.length - from.length;
  return { insertions: (steps + growth) / 2, deletions: (steps - growth) / 2 };
}

/** The number of lines that must come and go, after Myers (1986). */
function shortestEdit(from: readonly string[], to: readonly string[]): number {
  const replaced = from.length + to.length;
  // How far each diagonal has come.
  const reach = new Map<number, number>([[1, 0]]);
  for (let steps = 0; steps <= Math.min(replaced, EXACT_UP_TO); steps += 1) {
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const down = reach.get(diagonal + 1) ?? -1;
      const right = reach.get(diagonal - 1) ?? -1;
      let x = diagonal === -steps || (diagonal !== steps && right < down) ? down : right + 1;
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1;
      if (x >= from.length && x - diagonal >= to.length) return steps;
      reach.set(diagonal, x);
    }
  }
  return replaced;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
