import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@signalbox/protocol';
import { KeyedQueue } from '../../base/keyed-queue.ts';
import type { Call, Outcome } from '../sql/call.ts';
import { PartCalls } from '../sql/part-calls.ts';
import type { PackedCommit } from '../sql/parts/commits.ts';
import type { ServedEngine } from '../sql/serve-store.ts';
import { failureOf, type StoreError, StoreInUseError, StoreUnreachableError } from '../store-errors.ts';
import type { DatabaseAddress } from './database-address.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { PostgresDisk } from './postgres-disk.ts';
import { isDeadlock, isGone, storeErrorFor } from './postgres-errors.ts';
import { PostgresRecord } from './postgres-record.ts';
import { PostgresRetention } from './postgres-retention.ts';
import { PostgresUpdates } from './postgres-updates.ts';
import { LOCKS, migrate } from './schema.ts';

/** How long calls wait for a database that is away; whoever brought them may bring them again. */
const WAIT_MS = 20_000;

/** How long after a failure a connection is tried again. */
const RETRY_MS = 200;

/** The server may not have noticed yet that the hub before this one is gone. */
const IN_USE_MS = 3000;

/** Parts that read the record: what is staged has to be stored before. */
const READERS = new Set(['record', 'retention', 'updates']);

/** A PostgreSQL database with all parts of the store on it. */
export class PostgresEngine implements ServedEngine {
  readonly generation: number;
  readonly #address: DatabaseAddress;
  readonly #record: PostgresRecord;
  readonly #calls: PartCalls;
  /** Calls and tidying share a connection: one would end the transaction of the other. */
  readonly #turns = new KeyedQueue();
  #connection: PostgresConnection;
  #position = 0;
  /** The number of the transaction that is being made; the database has that of the last one that is durable. */
  #batch = 0;
  #isClosing = false;

  private constructor(
    address: DatabaseAddress,
    connection: PostgresConnection,
    generation: number,
    now: (() => number) | undefined,
  ) {
    this.#address = address;
    this.#connection = connection;
    this.generation = generation;
    const record = new PostgresRecord(generation, now);
    this.#record = record;
    this.#calls = new PartCalls(record, {
      updates: new PostgresUpdates(),
      record,
      disk: new PostgresDisk(),
      retention: new PostgresRetention(record),
    });
  }

  /** Raises a `StoreError` when the database cannot be used; then it is as it was. `now` says in which week lines come. */
  static async open(address: DatabaseAddress, now?: () => number): Promise<PostgresEngine> {
    let connection: PostgresConnection | undefined;
    try {
      connection = await PostgresConnection.open(address);
      await migrate(connection);
      await takeLock(connection, address);
      const engine = new PostgresEngine(address, connection, await beginGeneration(connection), now);
      const [outcome] = await engine.perform([
        { part: 'sessions', method: 'removeHalfImported', values: [] },
      ]);
      if (outcome?.state === 'failed') throw new Error(outcome.failure.subject);
      return engine;
    } catch (error) {
      await connection?.end();
      throw storeErrorFor(error, address.shown);
    }
  }

  get position(): number {
    return this.#position;
  }

  /**
   * In one transaction; when that fails, each call in one of its own. While the database is away the calls wait for it, up to a
   * limit: what was on its way is done once, whether or not it has become durable before the cut.
   */
  perform(calls: readonly Call[]): Promise<Outcome[]> {
    return this.#turns.run('', () => this.#perform(calls));
  }

  async #perform(calls: readonly Call[]): Promise<Outcome[]> {
    const end = Date.now() + WAIT_MS;
    let pending: { batch: number; outcomes: Outcome[] } | undefined;
    for (;;) {
      try {
        if (this.#connection.isEnded) await this.#connect();
        if (pending && (await this.#isDurable(pending.batch))) return pending.outcomes;
        this.#batch += 1;
        const batch = this.#batch;
        pending = undefined;
        return await this.#transact(calls, batch, (outcomes) => {
          pending = { batch, outcomes };
        });
      } catch (error) {
        const isOver = Date.now() > end || this.#isClosing;
        if (isDeadlock(error) && !isOver) continue;
        if (isGone(error) || this.#connection.isEnded) {
          await this.#connection.end();
          if (isOver) return calls.map(() => failed(this.#unreachable(error)));
          await pause(RETRY_MS);
          continue;
        }
        if (calls.length === 1) return [failed(storeErrorFor(error, this.#address.shown))];
        const outcomes: Outcome[] = [];
        for (const call of calls) outcomes.push(...(await this.#perform([call])));
        return outcomes;
      }
    }
  }

  noteCommit(): void {}

  rest(): Promise<void> {
    return this.#turns.run('', async () => {
      if (this.#connection.isEnded || !this.#record.takeTrimmed()) return;
      // Somebody reads, or the database is away: there will be another time.
      await this.#record.tidy(this.#connection).catch(() => {});
    });
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#turns.run('', () => this.#connection.end());
  }

  async #transact(
    calls: readonly Call[],
    batch: number,
    onPending: (outcomes: Outcome[]) => void,
  ): Promise<Outcome[]> {
    const [connection, record] = [this.#connection, this.#record];
    record.begin();
    try {
      await record.hold(connection, [...new Set(calls.flatMap(sessionsIn))]);
      const outcomes: Outcome[] = [];
      for (const call of calls) {
        if (READERS.has(call.part)) await record.write(connection);
        outcomes.push(await connection.work(this.#calls.outcomeOf(call)));
      }
      await record.write(connection);
      if (!connection.isInTransaction) return outcomes;
      onPending(outcomes);
      // Sent in one go: the row that all nodes share is locked no longer than it takes to write.
      const [position] = await Promise.all([record.end(connection, batch), connection.commit()]);
      this.#position = position ?? this.#position;
      return outcomes;
    } catch (error) {
      record.forgetWeeks();
      if (!connection.isEnded) await connection.rollBack();
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const connection = await PostgresConnection.open(this.#address);
    this.#record.forgetWeeks();
    try {
      await takeLock(connection, this.#address);
    } catch (error) {
      // Another hub may be at work there: nothing is written without the lock.
      await connection.end();
      throw error;
    }
    this.#connection = connection;
  }

  #unreachable(error: unknown): StoreUnreachableError {
    return new StoreUnreachableError(`${this.#address.shown} (${messageOf(error)})`);
  }

  /** Whether the transaction that was cut off has become durable all the same. */
  async #isDurable(batch: number): Promise<boolean> {
    const [row] = await this.#connection.ask<{ batch: number; last: number }>(
      'SELECT batch, (SELECT last FROM updates) AS last FROM opening WHERE generation = $1',
      [this.generation],
    );
    if (!row || row.batch < batch) return false;
    this.#position = row.last;
    return true;
  }
}

function failed(error: StoreError): Outcome {
  return { state: 'failed', failure: failureOf(error) };
}

/** The sessions that a call appends to. */
function sessionsIn({ part, values }: Call): string[] {
  if (part !== 'commits') return [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `CommitClient` calls with one
  const [commit] = values as readonly [PackedCommit];
  return commit.appends.map(({ session }) => session);
}

/** One hub at a time: what it keeps in memory is true of a database that is its own. */
async function takeLock(connection: PostgresConnection, { shown }: DatabaseAddress): Promise<void> {
  const end = Date.now() + IN_USE_MS;
  for (;;) {
    const [row] = await connection.ask<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      LOCKS.of,
      LOCKS.hub,
    ]);
    if (row?.taken) return;
    if (Date.now() > end) throw new StoreInUseError(shown);
    await pause(RETRY_MS);
  }
}

/** Every opening has a greater number than those before it, on whatever node. */
async function beginGeneration(connection: PostgresConnection): Promise<number> {
  return connection.transaction(async () => {
    const [row] = await connection.ask<{ number: number }>(
      'UPDATE generation SET number = number + 1 RETURNING number',
    );
    const number = row?.number ?? 0;
    await connection.ask('INSERT INTO opening VALUES ($1, 0)', [number]);
    await connection.ask('DELETE FROM opening WHERE generation < $1 - 1000', [number]);
    return number;
  });
}
