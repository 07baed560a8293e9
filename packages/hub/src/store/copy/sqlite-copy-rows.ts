import type { Database, Query } from '../sqlite/database.ts';
import { type CopiedRow, type CopiedTable, SESSION, valuesOf } from './copied-tables.ts';

/** Read the rows of a table one by one: others may use the database meanwhile. */
export async function* sqliteRows(
  database: Database,
  table: CopiedTable,
  columns: readonly string[],
): AsyncGenerator<CopiedRow> {
  const needed = [...new Set([...table.key, ...columns])];
  const names = needed.map((column) =>
    table.columns[column] === 'bytes' ? `hex(${column}) AS ${column}` : column,
  );
  // One that is being imported is nobody's yet.
  const isWhole = table === SESSION ? "state <> 'importing'" : 'true';
  const select = `SELECT ${names.join(', ')} FROM ${table.name} WHERE ${isWhole}`;
  const order = `ORDER BY ${table.key.join(', ')} LIMIT 1`;
  const key = table.key.join(', ');
  const after = table.key.map(() => '?').join(', ');
  const next: Query<CopiedRow> = database.prepare(`${select} AND (${key}) > (${after}) ${order}`);
  let row = database.prepare<CopiedRow>(`${select} ${order}`).get();
  while (row) {
    yield plainRow(row, needed);
    row = next.get(valuesOf(row, table.key));
  }
}

/** No text of PostgreSQL holds a NUL, so none is compared with one. */
function plainRow(row: CopiedRow, columns: readonly string[]): CopiedRow {
  return Object.fromEntries(
    columns.map((column) => {
      const value = row[column] ?? null;
      return [column, typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value];
    }),
  );
}
