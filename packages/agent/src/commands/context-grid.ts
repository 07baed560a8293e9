const ROWS = 10;
const COLUMNS = 20;
const SQUARES = ROWS * COLUMNS;

/** One part of a context, in the words and with the colours that hosts know. */
export interface ContextRow {
  readonly id: string;
  readonly name: string;
  readonly tokens: number;
  readonly color: string;
  readonly kind: 'used' | 'buffer' | 'free';
}

export function row(
  id: string,
  name: string,
  tokens: number,
  color: string,
  kind: ContextRow['kind'] = 'used',
): ContextRow {
  return { id, name, tokens, color, kind };
}

/** The context as a picture of squares: what is used first, then what is free, at last what is kept for a compaction. */
export function contextGrid(rows: readonly ContextRow[], maxTokens: number) {
  const ofKind = (kind: ContextRow['kind']): ContextRow[] => rows.filter((part) => part.kind === kind);
  const before = [...ofKind('used')].flatMap((part) => squares(part, maxTokens)).slice(0, SQUARES);
  const after = ofKind('buffer')
    .flatMap((part) => squares(part, maxTokens))
    .slice(0, SQUARES - before.length);
  const [free] = ofKind('free');
  const gap = SQUARES - before.length - after.length;
  const between = free ? Array.from({ length: gap }, () => square(free, maxTokens, 1)) : [];
  const all = [...before, ...between, ...after];
  return Array.from({ length: ROWS }, (_, at) => all.slice(at * COLUMNS, (at + 1) * COLUMNS));
}

/** A part that is there at all has a square. */
function squares(part: ContextRow, maxTokens: number) {
  const exact = (part.tokens / maxTokens) * SQUARES;
  const count = part.tokens > 0 ? Math.max(1, Math.round(exact)) : 0;
  return Array.from({ length: count }, (_, at) =>
    square(part, maxTokens, Math.max(0, Math.min(1, exact - at))),
  );
}

function square({ color, name, tokens }: ContextRow, maxTokens: number, squareFullness: number) {
  const percentage = Math.round((100 * tokens) / maxTokens);
  return { color, isFilled: true, categoryName: name, tokens, percentage, squareFullness };
}
