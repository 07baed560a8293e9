import type { Tokens } from 'marked';
import { dim, type Line, plain } from './line.ts';
import { inlineLines } from './markdown-inline.ts';
import { lineWidth, wrapLine } from './wrap-line.ts';

const GAP = ' │ ';
const MIN_COLUMN = 6;

/** A table whose cells wrap; where even that has no room, each row as a list of its fields. */
export function tableLines(table: Tokens.Table, width: number): Line[] {
  const columns = table.header.length;
  const room = width - GAP.length * (columns - 1);
  if (columns * MIN_COLUMN > room) return fieldLines(table, width);
  const header = table.header.map((cell) => cellLine(cell, true));
  const rows = table.rows.map((row) => row.map((cell) => cellLine(cell, false)));
  const widths = shareRoom(
    header.map((cell, index) =>
      Math.max(lineWidth(cell), ...rows.map((row) => lineWidth(row[index] ?? [])), 1),
    ),
    room,
  );
  const draw = (cells: readonly Line[]): Line[] => rowLines(cells, widths, table.align);
  const rule = widths.map((columnWidth) => '─'.repeat(columnWidth)).join('─┼─');
  return [...draw(header), [dim(rule)], ...rows.flatMap(draw)];
}

/** Columns that fit keep their width; the others share what is left. */
function shareRoom(wanted: readonly number[], room: number): number[] {
  let left = room;
  let greedy = wanted.length;
  const widths = wanted.map(() => 0);
  const bySize = wanted.map((size, index) => ({ size, index })).toSorted((a, b) => a.size - b.size);
  for (const { size, index } of bySize) {
    const share = Math.min(size, Math.floor(left / greedy));
    widths[index] = share;
    left -= share;
    greedy--;
  }
  return widths;
}

function rowLines(cells: readonly Line[], widths: readonly number[], align: Tokens.Table['align']): Line[] {
  const wrapped = widths.map((width, index) => wrapLine(cells[index] ?? [], width));
  const height = Math.max(...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, at) =>
    widths.flatMap((width, index) => {
      const row = wrapped[index]?.[at] ?? [];
      const space = width - lineWidth(row);
      const isLast = index === widths.length - 1;
      const before = align[index] === 'right' ? space : align[index] === 'center' ? space >> 1 : 0;
      const after = isLast ? 0 : space - before;
      return [plain(' '.repeat(before)), ...row, plain(' '.repeat(after)), ...(isLast ? [] : [dim(GAP)])];
    }),
  );
}

function fieldLines(table: Tokens.Table, width: number): Line[] {
  return table.rows.flatMap((row, at) => [
    ...(at > 0 ? [[]] : []),
    ...row.flatMap((cell, index) => {
      const name = table.header[index];
      return wrapLine([...(name ? cellLine(name, true) : []), plain(': '), ...cellLine(cell, false)], width);
    }),
  ]);
}

function cellLine(cell: Tokens.TableCell, isHeader: boolean): Line {
  return inlineLines(cell.tokens, isHeader ? { bold: true } : {}).flatMap((line, index) =>
    index === 0 ? line : [plain(' '), ...line],
  );
}
