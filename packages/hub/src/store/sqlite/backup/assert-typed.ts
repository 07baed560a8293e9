import { StoreCorruptError } from '../../store-errors.ts';
import type { Database } from '../database.ts';

/** What may be in a column, by the type that it was declared with. */
const KINDS: Readonly<Record<string, string>> = {
  INTEGER: "'integer', 'null'",
  REAL: "'real', 'integer', 'null'",
  TEXT: "'text', 'null'",
  BLOB: "'blob', 'null'",
};

/**
 * Raises `STORE_CORRUPT` for a database with values of other types than its columns were declared with. SQLite takes any, and
 * what reads them would fail at every start: a backup that somebody made up would leave a hub that neither starts nor ends.
 */
export function assertTyped(database: Database): void {
  const tables = database
    .prepare<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    .all();
  const columnsOf = database.prepare<{ name: string; type: string }>(
    'SELECT name, type FROM pragma_table_info(?)',
  );
  for (const table of tables) {
    const others = columnsOf
      .all([table.name])
      .map(({ name, type }) => `typeof(${quoted(name)}) NOT IN (${KINDS[type] ?? "''"})`);
    const place = quoted(table.name);
    const found = database.prepare(`SELECT 1 FROM ${place} WHERE ${others.join(' OR ')} LIMIT 1`).get();
    if (found) throw new StoreCorruptError(`${database.file} has values that no hub writes, in ${place}`);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
