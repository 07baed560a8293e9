const GAP = '  ';

/** Rows under their headings, each column as wide as its widest cell. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(rows);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** How wide such a table is. */
export function tableWidth(rows: readonly (readonly string[])[]): number {
  const widths = columnWidths(rows);
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}
