import { MAX_WINDOW_ENTRIES } from '@signalbox/protocol/hub';
import type { PostgresConnection } from '../postgres/postgres-connection.ts';
import { QUERIES, type RunRow } from '../postgres/record-queries.ts';
import { Run } from '../sql/run.ts';

const ALL_WEEKS = [0, 2 ** 31 - 1] as const;

/** The runs of a session, beginning with the one that has number `from`, a few megabytes at a time. */
export async function* postgresRuns(
  connection: PostgresConnection,
  session: number,
  from: number,
): AsyncGenerator<Run> {
  const place = [session, ...ALL_WEEKS];
  for (let next: number | undefined = from; next !== undefined; ) {
    const values: (number | string)[] = [
      ...place,
      ...place,
      next,
      Number.MAX_SAFE_INTEGER,
      MAX_WINDOW_ENTRIES,
    ];
    const { rows }: { rows: RunRow[] } = await connection.query(QUERIES.up, values);
    next = rows.length === MAX_WINDOW_ENTRIES ? endOf(rows.at(-1)) : undefined;
    for (const row of rows) {
      const { first, count, checksum, body } = row;
      if (!body) {
        next = first;
        break;
      }
      if (first + count > from) yield new Run(first, count, body, checksum);
    }
  }
}

function endOf(row: { first: number; count: number } | undefined): number | undefined {
  return row && row.first + row.count;
}
