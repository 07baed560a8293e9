import type { Line, Span } from './line.ts';
import { graphemesOf, headOf, widthOf } from './text-width.ts';

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

interface Cell {
  text: string;
  width: number;
  span: Span;
}

/** The rows a line takes: broken at spaces where there are any, and between wide characters. */
export function wrapLine(line: Line, width: number): Line[] {
  if (lineWidth(line) <= width) return [line];
  const cells = line.flatMap((span) =>
    graphemesOf(span.text).map((text): Cell => ({ text, width: widthOf(text), span })),
  );
  const rows: Line[] = [];
  let start = 0;
  while (start < cells.length) {
    const end = endOfRow(cells, start, width);
    rows.push(joinCells(cells.slice(start, end)));
    start = end;
    while (start > 0 && cells[start]?.text === ' ' && cells[start - 1]?.text !== ' ') start++;
  }
  return rows;
}

/** Where the row that begins at `start` ends: at least one cell further, or a narrow terminal would never finish. */
function endOfRow(cells: readonly Cell[], start: number, width: number): number {
  let column = 0;
  let breakAt = -1;
  for (let at = start; at < cells.length; at++) {
    const cell = cells[at];
    if (!cell) break;
    if (column + cell.width > width) {
      if (cell.text === ' ') return Math.max(at, start + 1);
      return breakAt > start ? breakAt : Math.max(at, start + 1);
    }
    column += cell.width;
    if (cell.text === ' ' || cell.width > 1) breakAt = at + 1;
  }
  return cells.length;
}

function joinCells(cells: readonly Cell[]): Line {
  const spans: Span[] = [];
  let of: Span | undefined;
  for (const { text, span } of cells) {
    const last = spans.at(-1);
    if (last && of === span) last.text += text;
    else spans.push({ ...span, text });
    of = span;
  }
  return spans;
}

/** The line on one row: what does not fit ends in an ellipsis. */
export function cutLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const kept: Span[] = [];
  let room = Math.max(0, width - 1);
  for (const span of line) {
    const text = headOf(span.text, room);
    kept.push({ ...span, text });
    room -= widthOf(text);
    if (text !== span.text) break;
  }
  return width > 0 ? [...kept, { ...kept.at(-1), text: '…' }] : kept;
}

/** Rows behind a lead: `first` before the first of them, as many spaces before the others. */
export function hang(first: Line, rows: readonly Line[]): Line[] {
  const pad = { text: ' '.repeat(lineWidth(first)) };
  return rows.map((row, index) => (index === 0 ? [...first, ...row] : [pad, ...row]));
}
