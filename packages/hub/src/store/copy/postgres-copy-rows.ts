import type { PostgresConnection } from '../postgres/postgres-connection.ts';
import { type CopiedRow, type CopiedTable, SESSION } from './copied-tables.ts';

/** Rows that are asked for at once. */
const FETCHED_ROWS = 100;

let cursors = 0;

/** The answers to a query, a few at a time, within a transaction. */
export async function* fetched<Row>(connection: PostgresConnection, query: string): AsyncGenerator<Row> {
  cursors += 1;
  const name = `copy_${cursors}`;
  await connection.ask(`DECLARE ${name} NO SCROLL CURSOR FOR ${query}`);
  try {
    for (;;) {
      const rows = await connection.ask<Row>(`FETCH ${FETCHED_ROWS} FROM ${name}`);
      yield* rows;
      if (rows.length < FETCHED_ROWS) return;
    }
  } finally {
    // A transaction that has failed has closed it.
    await connection.ask(`CLOSE ${name}`).catch(() => {});
  }
}

/** Read the rows of a table in the order of its key, within a transaction. */
export function postgresRows(
  connection: PostgresConnection,
  table: CopiedTable,
  columns: readonly string[],
): AsyncGenerator<CopiedRow> {
  const needed = [...new Set([...table.key, ...columns])];
  const names = needed.map((column) =>
    table.columns[column] === 'bytes' ? `upper(encode(${column}, 'hex')) AS ${column}` : column,
  );
  // By bytes, as SQLite orders them, and not as a language does.
  const order = table.key.map((column) =>
    table.columns[column] === 'text' ? `${table.name}.${column} COLLATE "C"` : `${table.name}.${column}`,
  );
  const isWhole = table === SESSION ? "state <> 'importing'" : 'true';
  const query = `SELECT ${names.join(', ')} FROM ${table.name} WHERE ${isWhole} ORDER BY ${order.join(', ')}`;
  return fetched<CopiedRow>(connection, query);
}
