import { type Line, plain, type Span } from '../text/line.ts';
import { graphemesOf, widthOf } from '../text/text-width.ts';
import { type Draft, shownAs } from './draft.ts';

/** Rows with a cursor among them. */
export interface CursorLines {
  lines: Line[];
  cursor: { x: number; y: number };
}

/** A draft as rows: broken where the width ends, so that the cursor is where the next character goes. */
export function draftLines(draft: Draft, width: number, maxRows: number): CursorLines {
  const rows: Span[][] = [[]];
  let column = 0;
  let cursor = { x: 0, y: 0 };
  const mark = (): void => {
    cursor = { x: column, y: rows.length - 1 };
  };
  const breakRow = (): void => {
    rows.push([]);
    column = 0;
  };
  const put = (text: string, style: Omit<Span, 'text'>): void => {
    const size = widthOf(text);
    if (column + size > width && column > 0) breakRow();
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (last && last.inverse === style.inverse) last.text += text;
    else row?.push({ text, ...style });
    column += size;
  };
  let offset = 0;
  for (const line of draft.text.split('\n')) {
    if (offset > 0) breakRow();
    for (const character of graphemesOf(line)) {
      if (column >= width) breakRow();
      if (offset === draft.cursor) mark();
      const shown = shownAs(character, draft);
      if (shown === character) put(character, {});
      else for (const part of graphemesOf(shown)) put(part, { inverse: true });
      offset += character.length;
    }
    if (column >= width) breakRow();
    if (offset === draft.cursor) mark();
    offset += 1;
  }
  return windowAround({ lines: rows.map((row) => (row.length > 0 ? row : [plain('')])), cursor }, maxRows);
}

function windowAround({ lines, cursor }: CursorLines, maxRows: number): CursorLines {
  if (lines.length <= maxRows) return { lines, cursor };
  const start = Math.min(Math.max(0, cursor.y - (maxRows >> 1)), lines.length - maxRows);
  return { lines: lines.slice(start, start + maxRows), cursor: { x: cursor.x, y: cursor.y - start } };
}
