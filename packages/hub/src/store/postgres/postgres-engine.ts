import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@signalbox/protocol';
import { settledWithin } from '@signalbox/transport';
import { KeyedQueue } from '../../base/keyed-queue.ts';
import type { Call, Outcome } from '../sql/call.ts';
import { PartCalls } from '../sql/part-calls.ts';
import type { PackedCommit } from '../sql/parts/commits.ts';
import type { ServedEngine } from '../sql/serve-store.ts';
import {
  failureOf,
  LeadLostError,
  type StoreError,
  StoreUncertainError,
  StoreUnreachableError,
} from '../store-errors.ts';
import type { DatabaseAddress } from './database-address.ts';
import { lead, showPresence } from './lead.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { PostgresDisk } from './postgres-disk.ts';
import { isDeadlock, isGone, isNotLeading, isReadOnly, storeErrorFor } from './postgres-errors.ts';
import { PostgresRecord } from './postgres-record.ts';
import { PostgresRetention } from './postgres-retention.ts';
import { PostgresUpdates } from './postgres-updates.ts';
import { QUERIES } from './record-queries.ts';
import { migrate } from './schema.ts';

/** How long calls wait for a database that is away; whoever brought them may bring them again. */
const WAIT_MS = 20_000;

/** How long after a failure a connection is tried again. */
const RETRY_MS = 200;

/** How long what is on its way may keep from others that the lead is lost. */
const LAST_ANSWER_MS = 3000;

/** The server may not have noticed yet that the hub before this one is gone. */
const IN_USE_MS = 3000;

/** Parts that read the record: what is staged has to be stored before. */
const READERS = new Set(['record', 'retention', 'updates']);

/** How a database is opened. */
export interface PostgresOptions {
  /** Who opens it: the name of a node that may be started again and go on at once. */
  node?: string;
  /** In which week something comes. */
  now?: () => number;
  /** How long calls wait for a database that is away. */
  waitMs?: number;
}

/** What became of calls in a transaction whose end was sent, if it is stored. */
interface Pending {
  batch: number;
  outcomes: Outcome[];
}

/** A PostgreSQL database with all parts of the store on it. Whoever has it open leads: nobody else writes there. */
export class PostgresEngine implements ServedEngine {
  readonly generation: number;
  readonly #address: DatabaseAddress;
  readonly #record: PostgresRecord;
  readonly #calls: PartCalls;
  readonly #keeper: LeaseKeeper;
  readonly #waitMs: number;
  /** Calls and tidying share a connection: one would end the transaction of the other. */
  readonly #turns = new KeyedQueue();
  #connection: PostgresConnection;
  #position = 0;
  /** The number of the transaction that is being made; the database has that of the last one that is durable. */
  #batch = 0;
  #isClosing = false;
  /** Whether others see by the connection that this node is there. */
  #isPresent = true;
  #lost: LeadLostError | undefined;
  #onLost: (error: StoreError, isUncertain: boolean) => void = () => {};
  #onDoubt: (error: StoreError) => void = () => {};

  private constructor(
    address: DatabaseAddress,
    connection: PostgresConnection,
    generation: number,
    { now, waitMs = WAIT_MS }: PostgresOptions,
  ) {
    this.#address = address;
    this.#waitMs = waitMs;
    this.#connection = connection;
    this.generation = generation;
    this.#keeper = new LeaseKeeper(address, generation, () => this.#lose());
    const record = new PostgresRecord(generation, now);
    this.#record = record;
    this.#calls = new PartCalls(record, {
      updates: new PostgresUpdates(),
      record,
      disk: new PostgresDisk(),
      retention: new PostgresRetention(record),
    });
  }

  /** Raises a `StoreError` when the database cannot be used; then it is as it was. */
  static async open(address: DatabaseAddress, options: PostgresOptions = {}): Promise<PostgresEngine> {
    let connection: PostgresConnection | undefined;
    try {
      connection = await PostgresConnection.open(address);
      await migrate(connection);
      const { node = '' } = options;
      const generation = await lead(connection, { node, shown: address.shown, patienceMs: IN_USE_MS });
      const engine = new PostgresEngine(address, connection, generation, options);
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

  /** Call this when another node has taken the lead: nothing is stored from then on. What is on its way may have been, if it is uncertain. */
  onLost(listener: (error: StoreError, isUncertain: boolean) => void): void {
    this.#onLost = listener;
  }

  /** Call this when a transaction was cut off in its end, and the database stays away: whether it is stored is found out later. */
  onDoubt(listener: (error: StoreError) => void): void {
    this.#onDoubt = listener;
  }

  get position(): number {
    return this.#position;
  }

  /**
   * In one transaction; when that fails, each call in one of its own. While the database is away the calls wait for it, up to a
   * limit. A transaction that was cut off in its end is waited for without one: it is done once, whether or not it has become
   * durable before the cut, and nobody is told of it before that is known.
   */
  perform(calls: readonly Call[]): Promise<Outcome[]> {
    return this.#turns.run('', () => this.#perform(calls));
  }

  async #perform(calls: readonly Call[]): Promise<Outcome[]> {
    const work: { pending: Pending | undefined } = { pending: undefined };
    // A connection that hangs says nothing for much longer.
    const patience = setTimeout(() => {
      if (work.pending) this.#onDoubt(this.#unreachable('it was cut off'));
    }, this.#waitMs);
    try {
      return await this.#carryOut(calls, work);
    } finally {
      clearTimeout(patience);
    }
  }

  async #carryOut(calls: readonly Call[], work: { pending: Pending | undefined }): Promise<Outcome[]> {
    const end = Date.now() + this.#waitMs;
    let isNew = false;
    for (;;) {
      try {
        if (this.#lost && !work.pending) return lost(calls, this.#lost);
        if (this.#connection.isEnded) {
          await this.#connect();
          isNew = true;
        }
        if (work.pending && (await this.#isDurable(work.pending.batch))) return work.pending.outcomes;
        work.pending = undefined;
        if (this.#lost) return lost(calls, this.#lost);
        if (!this.#isPresent) await showPresence(this.#connection);
        this.#isPresent = true;
        this.#batch += 1;
        return await this.#transact(calls, this.#batch, (pending) => {
          work.pending = pending;
        });
      } catch (error) {
        const isOver = Date.now() > end || this.#isClosing;
        if (work.pending) {
          if (this.#isClosing || this.#lost) return calls.map(() => failed(this.#uncertain));
          if (isOver) this.#onDoubt(this.#unreachable(messageOf(error)));
          await this.#connection.end();
          await pause(RETRY_MS);
          continue;
        }
        if (isDeadlock(error) && !isOver) continue;
        if (isNotLeading(error)) {
          await this.#renewLease();
          if (!isOver || this.#lost) continue;
        }
        const mayOnlyRead = isReadOnly(error);
        if (mayOnlyRead && !isNew) continue;
        if (isGone(error) || (this.#connection.isEnded && !mayOnlyRead)) {
          await this.#connection.end();
          if (isOver) return calls.map(() => failed(this.#unreachable(messageOf(error))));
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
      if (this.#lost || this.#connection.isEnded || !this.#record.takeTrimmed()) return;
      // Somebody reads, or the database is away: there will be another time.
      await this.#record.tidy(this.#connection).catch(() => {});
    });
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#turns.run('', async () => {
      await this.#keeper.close();
      await this.#connection.end();
    });
  }

  async #transact(
    calls: readonly Call[],
    batch: number,
    onPending: (pending: Pending | undefined) => void,
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
      onPending({ batch, outcomes });
      // Sent in one go: the row that all nodes share is locked no longer than it takes to write.
      const ending = record.end(connection, batch);
      const committing = connection.commit();
      // What the first one fails with says why the second one does.
      committing.catch(() => {});
      this.#position = (await ending) ?? this.#position;
      await committing;
      return outcomes;
    } catch (error) {
      record.forgetWeeks();
      // The database itself has said that nothing of it is stored.
      if (!connection.isEnded && !isGone(error)) onPending(undefined);
      if (!connection.isEnded) await connection.rollBack();
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const connection = await PostgresConnection.open(this.#address);
    this.#record.forgetWeeks();
    this.#connection = connection;
    this.#isPresent = false;
  }

  /** A node that was paused has it again, unless another one has taken the lead meanwhile. */
  async #renewLease(): Promise<void> {
    // While the database is away nothing is known: whoever called tries again.
    const isOurs = await this.#keeper.renew().catch(() => true);
    if (!isOurs) this.#lose();
  }

  #lose(): void {
    if (this.#lost) return;
    const error = new LeadLostError(this.#address.shown);
    this.#lost = error;
    // What is on its way hears for itself what became of it.
    const answered = this.#turns.run('', async () => {});
    void settledWithin(answered, LAST_ANSWER_MS).then((isAnswered) => this.#onLost(error, !isAnswered));
  }

  #unreachable(why: string): StoreUnreachableError {
    return new StoreUnreachableError(`${this.#address.shown} (${why})`);
  }

  get #uncertain(): StoreUncertainError {
    return new StoreUncertainError(this.#address.shown);
  }

  /**
   * Whether the transaction that was cut off has become durable all the same; if not, it never will: a server that comes to its end
   * only now, or holds its rows still, finds that its number was passed over.
   */
  #isDurable(batch: number): Promise<boolean> {
    const connection = this.#connection;
    return connection.transaction(async () => {
      const { rows } = await connection.query(QUERIES.marked, [this.generation]);
      const isDurable = rows[0]?.batch === batch;
      if (isDurable)
        this.#position = (await connection.query(QUERIES.position, [])).rows[0]?.last ?? this.#position;
      else {
        this.#batch += 1;
        await connection.query(QUERIES.passOver, [this.#batch, this.generation]);
      }
      return isDurable;
    });
  }
}

function lost(calls: readonly Call[], error: LeadLostError): Outcome[] {
  return calls.map(() => failed(error));
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
