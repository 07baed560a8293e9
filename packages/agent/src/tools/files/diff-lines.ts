/** Some lines of one text in the place of some of another. */
export interface LineChange {
  oldAt: number;
  removed: number;
  newAt: number;
  added: number;
}

/** Texts that differ in more lines than this are shown as one change: the time a diff takes grows with its square. */
const MAX_DIFFERENCES = 500;

/** The shortest list of changes that turns one list of lines into another (Myers, 1986). */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  if (a.length === 0 && b.length === 0) return [];
  const kept = a.length > 0 && b.length > 0 ? keptLines(a, b) : [];
  return gapsBetween(kept, a.length, b.length).map((change) => ({
    ...change,
    oldAt: change.oldAt + start,
    newAt: change.newAt + start,
  }));
}

/** Runs of lines that both texts have: where they are in each, and how long. */
interface Run {
  oldAt: number;
  newAt: number;
  length: number;
}

function gapsBetween(kept: readonly Run[], oldLength: number, newLength: number): LineChange[] {
  const changes: LineChange[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const run of [...kept, { oldAt: oldLength, newAt: newLength, length: 0 }]) {
    const change = { oldAt, removed: run.oldAt - oldAt, newAt, added: run.newAt - newAt };
    if (change.removed > 0 || change.added > 0) changes.push(change);
    oldAt = run.oldAt + run.length;
    newAt = run.newAt + run.length;
  }
  return changes;
}

/** Walks the edit graph: on diagonal `k`, after `d` differences, `furthest` is how many lines of `a` are behind us. */
function keptLines(a: readonly string[], b: readonly string[]): Run[] {
  const most = Math.min(a.length + b.length, MAX_DIFFERENCES);
  const trail: ReadonlyMap<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let d = 0; d <= most; d += 1) {
    trail.push(furthest);
    const next = new Map<number, number>();
    for (let k = -d; k <= d; k += 2) {
      let { x } = enter(furthest, k, d);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trail, a.length, b.length);
    }
    furthest = next;
  }
  return [];
}

/** How a diagonal is best reached: by a line of `b` that was added, or one of `a` that was removed. */
function enter(
  furthest: ReadonlyMap<number, number>,
  k: number,
  d: number,
): { x: number; by: 'added' | 'removed' } {
  const added = furthest.get(k + 1) ?? -1;
  const removed = (furthest.get(k - 1) ?? -1) + 1;
  const isAdded = k === -d || (k !== d && removed <= added);
  return isAdded ? { x: added, by: 'added' } : { x: removed, by: 'removed' };
}

function walkBack(trail: readonly ReadonlyMap<number, number>[], oldEnd: number, newEnd: number): Run[] {
  const runs: Run[] = [];
  let x = oldEnd;
  let k = oldEnd - newEnd;
  for (const [d, furthest] of [...trail.entries()].toReversed()) {
    const entered = enter(furthest, k, d);
    if (x > entered.x) runs.unshift({ oldAt: entered.x, newAt: entered.x - k, length: x - entered.x });
    x = entered.by === 'added' ? entered.x : entered.x - 1;
    k += entered.by === 'added' ? 1 : -1;
  }
  return runs;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  let count = 0;
  const most = Math.min(a.length, b.length) - start;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}
