import type { DatabaseAddress } from '../postgres/database-address.ts';
import { isPresent, LEASE_MS, LeadWatch, lead } from '../postgres/lead.ts';
import { LeaseKeeper } from '../postgres/lease-keeper.ts';
import { PostgresConnection } from '../postgres/postgres-connection.ts';
import { storeErrorFor } from '../postgres/postgres-errors.ts';
import { assertWhole, migrate } from '../postgres/schema.ts';
import type { Run } from '../sql/run.ts';
import { checkIn } from '../sql/window-parts.ts';
import type { CopiedRow, CopiedTable } from './copied-tables.ts';
import type { CopySource, StoreCounters } from './copy-sides.ts';
import { postgresRows } from './postgres-copy-rows.ts';
import { postgresRuns } from './postgres-copy-runs.ts';

/** A PostgreSQL database as it was when it was opened, also while a hub uses it. */
export class PostgresCopySource implements CopySource {
  readonly installation: string;
  readonly isFinal: boolean;
  readonly #connection: PostgresConnection;
  readonly #keeper: LeaseKeeper | undefined;

  private constructor(connection: PostgresConnection, installation: string, keeper: LeaseKeeper | undefined) {
    this.#connection = connection;
    this.installation = installation;
    this.#keeper = keeper;
    this.isFinal = keeper !== undefined;
  }

  /** Raises a `StoreError`. */
  static async open(address: DatabaseAddress): Promise<PostgresCopySource> {
    let connection: PostgresConnection | undefined;
    let keeper: LeaseKeeper | undefined;
    try {
      connection = await PostgresConnection.open(address);
      await migrate(connection);
      await connection.ask('SET idle_in_transaction_session_timeout = 0');
      await assertWhole(connection);
      keeper = await leadIfFree(connection, address);
      connection.begin();
      await connection.ask('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [row] = await connection.ask<{ id: string }>('SELECT id FROM installation');
      return new PostgresCopySource(connection, row?.id ?? '', keeper);
    } catch (error) {
      await keeper?.close();
      await connection?.end();
      throw storeErrorFor(error, address.shown);
    }
  }

  async counters(): Promise<StoreCounters> {
    const [row] = await this.#connection.ask<StoreCounters>(
      'SELECT (SELECT number FROM generation) AS generation, (SELECT last FROM updates) AS position',
    );
    return row ?? { generation: 0, position: 0 };
  }

  async sessions(): Promise<number> {
    const [row] = await this.#connection.ask<{ count: number }>(
      "SELECT count(*) AS count FROM session WHERE state <> 'importing'",
    );
    return row?.count ?? 0;
  }

  rows(table: CopiedTable, columns: readonly string[]): AsyncIterable<CopiedRow> {
    return postgresRows(this.#connection, table, columns);
  }

  async lastOf(session: number): Promise<number> {
    const [row] = await this.#connection.ask<{ last: number }>('SELECT last FROM session WHERE number = $1', [
      session,
    ]);
    return row?.last ?? 0;
  }

  async checkAt(session: number, seq: number): Promise<number> {
    for await (const run of this.runs(session, seq)) return checkIn(run.first <= seq ? run : undefined, seq);
    return checkIn(undefined, seq);
  }

  runs(session: number, from: number): AsyncIterable<Run> {
    return postgresRuns(this.#connection, session, from);
  }

  async isUnchanged(): Promise<boolean> {
    return (await this.#keeper?.renew()) ?? false;
  }

  async close(): Promise<void> {
    await this.#keeper?.close();
    await this.#connection.end();
  }
}

/** Lead the database, so that no hub writes to it; undefined when one is at work. */
async function leadIfFree(
  connection: PostgresConnection,
  address: DatabaseAddress,
): Promise<LeaseKeeper | undefined> {
  if (isPresent(await new LeadWatch(connection, '').look())) return undefined;
  // The lease of one that was killed ends by itself.
  const generation = await lead(connection, { node: '', shown: address.shown, patienceMs: 2 * LEASE_MS });
  return new LeaseKeeper(address, generation, () => {});
}
