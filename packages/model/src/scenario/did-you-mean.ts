function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** `; did you mean "x"?`, or nothing when no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const limit = word.length > 3 ? Math.max(2, Math.floor(word.length / 3)) : 1;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => candidate !== word && distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0] ? `; did you mean "${ranked[0].candidate}"?` : '';
}
