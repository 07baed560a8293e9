import { headOf, widthOf } from '@signalbox/chat/text-width';

const GAP = '  ';

/** What a table may do to fit. */
export interface TableShape<Column extends string> {
  columns: readonly Column[];
  /** What a narrow terminal does without, one after the other. */
  leftOut: readonly Column[];
  /** The column whose cells are cut, to between `least` and `most` columns of the terminal. */
  cut: { column: Column; least: number; most: number };
}

/** Rows under their headings, in a table no wider than `room` as far as leaving out and cutting goes. */
export function fittedTable<Column extends string>(
  { columns, leftOut, cut }: TableShape<Column>,
  rows: readonly Record<Column, string>[],
  room: number,
): string {
  const draw = (names: readonly Column[], width: number): string[][] => [
    [...names],
    ...rows.map((row) => names.map((name) => (name === cut.column ? short(row[name], width) : row[name]))),
  ];
  const shapes = [[], ...leftOut.map((_, at) => leftOut.slice(0, at + 1))].map((missing) =>
    columns.filter((name) => !missing.includes(name)),
  );
  const fitting = shapes.find((names) => tableWidth(draw(names, cut.least)) <= room);
  const names = fitting ?? shapes.at(-1) ?? columns;
  const spare = Math.max(0, room - tableWidth(draw(names, cut.least)));
  return textTable(draw(names, Math.min(cut.most, cut.least + spare)));
}

function short(text: string, width: number): string {
  return widthOf(text) > width ? `${headOf(text, width - 1)}…` : text;
}

function textTable(rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(rows);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function tableWidth(rows: readonly (readonly string[])[]): number {
  const widths = columnWidths(rows);
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), 0),
  );
}
