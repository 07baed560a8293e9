/** Where words begin in a text that begin with one of those that were typed, each with its end; in their order. */
export function wordPlaces(text: string, typed: string): [from: number, to: number][] {
  const wanted = typed.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  if (!wanted) return [];
  const lower = text.toLowerCase();
  // Letters that become two would put all that follows in another place.
  if (lower.length !== text.length) return [];
  const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(wanted)].join('|')})`, 'gu');
  return [...lower.matchAll(words)].map(({ index, 0: { length } }) => [index, index + length]);
}
