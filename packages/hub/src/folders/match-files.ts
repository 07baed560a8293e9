/** The paths that have the letters of `query` in their order, the best first; without a query those nearest to the top. */
export function matchFiles(
  paths: readonly string[],
  query: string,
  most: number,
): { items: string[]; isCut: boolean } {
  const sought = query.toLowerCase();
  const found = paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), sought) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank || nearness(one.path, other.path));
  return { items: found.slice(0, most).map(({ path }) => path), isCut: found.length > most };
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

function nearness(one: string, other: string): number {
  const depth = one.split('/').length - other.split('/').length;
  return depth || one.length - other.length || (one < other ? -1 : 1);
}
