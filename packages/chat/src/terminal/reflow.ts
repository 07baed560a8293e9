import { type Line, textOf } from '../text/line.ts';
import { graphemesOf, widthOf } from '../text/text-width.ts';

/** How many rows lines take in a terminal of this width that cuts them wherever it is full. */
export function rowsWhenCut(lines: readonly Line[], columns: number): number {
  return lines.reduce((sum, line) => sum + rowsWhenCutTo(line, Number.POSITIVE_INFINITY, columns), 0);
}

/** How many rows a line takes up to a column of it. */
export function rowsWhenCutTo(line: Line, end: number, columns: number): number {
  let rows = 1;
  let used = 0;
  let total = 0;
  for (const grapheme of graphemesOf(textOf(line))) {
    const width = widthOf(grapheme);
    if (total >= end) break;
    if (used + width > columns) {
      rows++;
      used = 0;
    }
    used += width;
    total += width;
  }
  return rows;
}
