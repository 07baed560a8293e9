import type { DatabaseAddress } from '../postgres/database-address.ts';
import { PostgresConnection } from '../postgres/postgres-connection.ts';
import { storeErrorFor } from '../postgres/postgres-errors.ts';
import { LOCKS, migrate } from '../postgres/schema.ts';
import { insertRuns, makePartition, newestIn, WEEK_MS } from '../postgres/stored-runs.ts';
import type { Run } from '../sql/run.ts';
import { checkIn } from '../sql/window-parts.ts';
import { StoreInUseError, StoreNotEmptyError } from '../store-errors.ts';
import { type CopiedRow, type CopiedTable, SESSION, TABLES } from './copied-tables.ts';
import type { CopiedExtent, CopyTarget, RecordEnd, SessionRun, StoreCounters } from './copy-sides.ts';
import { fetched, postgresRows } from './postgres-copy-rows.ts';
import { postgresRuns } from './postgres-copy-runs.ts';

/** Runs of longer ago share a partition: each week would need its own. */
const MOST_WEEKS = 104;

/** A PostgreSQL database that is copied to. A mark in it keeps hubs away until the copy is finished. */
export class PostgresCopyTarget implements CopyTarget {
  readonly name: string;
  readonly #connection: PostgresConnection;

  private constructor(connection: PostgresConnection, name: string) {
    this.#connection = connection;
    this.name = name;
  }

  /** Take an empty database, or go on with an unfinished copy of this installation. Raises a `StoreError`. */
  static async open(address: DatabaseAddress, installation: string): Promise<PostgresCopyTarget> {
    let connection: PostgresConnection | undefined;
    try {
      connection = await PostgresConnection.open(address);
      await connection.ask('SET idle_in_transaction_session_timeout = 0');
      await migrate(connection);
      await claim(connection, address, installation);
      return new PostgresCopyTarget(connection, address.shown);
    } catch (error) {
      await connection?.end();
      throw storeErrorFor(error, address.shown);
    }
  }

  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#connection.transaction(work);
  }

  rows(table: CopiedTable, columns: readonly string[]): AsyncIterable<CopiedRow> {
    return postgresRows(this.#connection, table, columns);
  }

  async put({ name, key, columns }: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    const names = Object.keys(columns);
    const others = names.filter((column) => !key.includes(column));
    const change =
      others.length === 0
        ? 'NOTHING'
        : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`;
    const values = rows.map((row) =>
      Object.fromEntries(names.map((column) => [column, sendable(row[column], columns[column] === 'bytes')])),
    );
    await this.#connection.ask(
      `INSERT INTO ${name} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
        SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${name}, $1)
        ON CONFLICT (${key.join(', ')}) DO ${change}`,
      [JSON.stringify(values)],
    );
  }

  async remove(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    const { name, key } = table;
    if (table === SESSION)
      await this.#connection.ask('DELETE FROM run WHERE session = ANY($1)', [
        rows.map((row) => Number(row.number)),
      ]);
    const keys = rows.map((row) => Object.fromEntries(key.map((column) => [column, sendable(row[column])])));
    const same = key.map((column) => `${name}.${column} = gone.${column}`).join(' AND ');
    await this.#connection.ask(
      `DELETE FROM ${name} USING json_populate_recordset(NULL::${name}, $1) AS gone WHERE ${same}`,
      [JSON.stringify(keys)],
    );
  }

  async endOf(session: number): Promise<RecordEnd> {
    const [row] = await this.#connection.ask<{ last: number }>('SELECT last FROM session WHERE number = $1', [
      session,
    ]);
    const last = row?.last ?? 0;
    const [run] = last === 0 ? [] : await this.runsFrom(session, last);
    return { last, check: checkIn(run, last) };
  }

  async addRuns(runs: readonly SessionRun[]): Promise<void> {
    for (const [week, ofWeek] of byWeek(runs)) {
      await makePartition(this.#connection, week);
      await insertRuns(this.#connection, week, ofWeek);
      await this.#connection.ask(
        `UPDATE session SET last = greatest(session.last, v.last), bytes = session.bytes + v.bytes,
            first_week = least(first_week, $1), last_week = greatest(last_week, $1)
          FROM (SELECT session, max(last) AS last, sum(bytes) AS bytes
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS run (session, last, bytes) GROUP BY session) AS v
          WHERE session.number = v.session`,
        [
          week,
          ofWeek.map(({ session }) => session),
          ofWeek.map(({ run }) => run.last),
          ofWeek.map(({ run }) => run.body.length),
        ],
      );
    }
  }

  async runsFrom(session: number, from: number): Promise<Run[]> {
    const runs: Run[] = [];
    for await (const run of postgresRuns(this.#connection, session, from)) runs.push(run);
    return runs;
  }

  async trim(sessions: readonly number[]): Promise<void> {
    await this.#connection.ask(
      `DELETE FROM run USING session WHERE run.session = session.number AND session.number = ANY($1)
        AND trimmed > 0 AND first + count - 1 <= trimmed`,
      [sessions],
    );
    await this.#connection.ask(
      `UPDATE session SET last = greatest(last, trimmed), bytes = (SELECT coalesce(sum(octet_length(body)), 0) FROM run
          WHERE run.session = session.number)
        WHERE number = ANY($1) AND trimmed > 0`,
      [sessions],
    );
  }

  async dropRuns(session: number): Promise<void> {
    await this.#connection.ask('DELETE FROM run WHERE session = $1', [session]);
    await this.#connection.ask(
      'UPDATE session SET last = 0, bytes = 0, first_week = NULL, last_week = NULL WHERE number = $1',
      [session],
    );
  }

  extents(): AsyncIterable<CopiedExtent> {
    return fetched<CopiedExtent>(
      this.#connection,
      `SELECT number AS session, last,
          (SELECT coalesce(sum(first + count - greatest(first, trimmed + 1)), 0) FROM run
            WHERE run.session = session.number AND first + count - 1 > trimmed) AS entries
        FROM session`,
    );
  }

  async finish({ generation, position }: StoreCounters): Promise<void> {
    await this.transaction(async () => {
      await this.#connection.ask('UPDATE generation SET number = $1', [generation]);
      await this.#connection.ask('UPDATE updates SET last = $1', [position]);
      for (const { name, key, columns } of [SESSION, ...TABLES]) {
        if (columns[key[0] ?? ''] !== 'number') continue;
        await this.#connection.ask(
          `SELECT setval(CAST(sequence AS regclass), (SELECT max(${key[0]}) FROM ${name}))
            FROM pg_get_serial_sequence('${name}', '${key[0]}') AS sequence WHERE sequence IS NOT NULL`,
        );
      }
      await this.#connection.ask('DELETE FROM copy');
    });
    await this.#connection.ask('ANALYZE');
  }

  close(): Promise<void> {
    return this.#connection.end();
  }
}

/** Raises `STORE_NOT_EMPTY`, or `STORE_IN_USE` when it is being copied to already. */
async function claim(
  connection: PostgresConnection,
  { shown }: DatabaseAddress,
  installation: string,
): Promise<void> {
  const [lock] = await connection.ask<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
    LOCKS.of,
    LOCKS.copy,
  ]);
  if (!lock?.taken) throw new StoreInUseError(shown);
  await connection.transaction(async () => {
    // A hub that starts takes this row first.
    const [opened] = await connection.ask<{ number: number }>('SELECT number FROM generation FOR UPDATE');
    const [mark] = await connection.ask<{ source: string }>('SELECT source FROM copy');
    if (mark?.source === installation) return;
    if (mark || opened?.number !== 0) throw new StoreNotEmptyError(shown);
    await connection.ask('UPDATE installation SET id = $1', [installation]);
    await connection.ask('INSERT INTO copy VALUES ($1, $2)', [installation, Date.now()]);
  });
}

/** As JSON has no bytes, and no infinity. */
function sendable(value: string | number | null | undefined, isBytes = false): string | null {
  if (value === null || value === undefined) return null;
  return isBytes ? `\\x${value}` : String(value);
}

/** Runs by the week of their latest entry; those without one go with the run before. */
function byWeek(runs: readonly SessionRun[]): Map<number, SessionRun[]> {
  const now = Math.floor(Date.now() / WEEK_MS);
  const weeks = new Map<number, SessionRun[]>();
  let week = now;
  for (const one of runs) {
    const newest = newestIn(one.run);
    if (newest > 0) week = Math.min(now, Math.max(now - MOST_WEEKS, Math.floor(newest / WEEK_MS)));
    weeks.set(week, [...(weeks.get(week) ?? []), one]);
  }
  return weeks;
}
