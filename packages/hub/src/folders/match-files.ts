import { turns } from '../base/turns.ts';

/** How many paths are looked at before others may have their turn. */
const PATHS_AT_ONCE = 500;

/** A path that matches, and how well. */
interface Match {
  path: string;
  rank: number;
  depth: number;
}

/**
 * The paths that have the letters of `query` in their order, the best first; without a query those nearest to the top. It gives way
 * to others: a folder may have many files.
 */
export async function matchFiles(
  paths: readonly string[],
  query: string,
  most: number,
): Promise<{ items: string[]; isCut: boolean }> {
  const sought = query.toLowerCase();
  let best: Match[] = [];
  let found = 0;
  for (const [at, path] of paths.entries()) {
    if (at % PATHS_AT_ONCE === 0 && turns.isOver) await turns.rest();
    const rank = rankOf(path.toLowerCase(), sought);
    if (rank === 0) continue;
    found += 1;
    best.push({ path, rank, depth: path.split('/').length });
    if (best.length >= 2 * most + PATHS_AT_ONCE) best = best.toSorted(compare).slice(0, most);
  }
  const items = best.toSorted(compare).slice(0, most);
  return { items: items.map(({ path }) => path), isCut: found > most };
}

function rankOf(path: string, sought: string): number {
  if (sought === '') return 1;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === sought || path === sought) return 6;
  if (name.startsWith(sought)) return 5;
  if (path.startsWith(sought)) return 4;
  if (name.includes(sought)) return 3;
  if (path.includes(sought)) return 2;
  return hasInOrder(path, sought) ? 1 : 0;
}

function hasInOrder(path: string, sought: string): boolean {
  let at = -1;
  for (const letter of sought) {
    at = path.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** The better one first; of equals the one nearer to the top, then the shorter one. */
function compare(one: Match, other: Match): number {
  const order = other.rank - one.rank || one.depth - other.depth || one.path.length - other.path.length;
  return order || (one.path < other.path ? -1 : 1);
}
