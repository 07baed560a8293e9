/**
 * Whether `text` is `pieces` with anything between them: the pieces are what stood around each `*`.
 * Taking the earliest place for each piece is enough, so a hostile pattern cannot make this backtrack.
 */
export function matchesPieces(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.length > 1 ? pieces.at(-1) : undefined;
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/** Whether `text` matches `pattern`, where each `*` stands for any text. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesPieces(pattern.split('*'), text);
}
