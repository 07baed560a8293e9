import { messageOf, numberAt } from '@signalbox/protocol';
import Libsql from 'libsql';
import type { Dialect, SqlValue, Statement, Steps } from '../sql/statement.ts';
import {
  StoreCorruptError,
  StoreError,
  StoreFailedError,
  StoreFullError,
  StoreInUseError,
} from '../store-errors.ts';
import { keepPrivate } from './keep-private.ts';
import { type DamagedLog, examineLeftLog } from './log/damaged-log.ts';
import { LogMarker } from './log/log-mark.ts';
import { LogReserve } from './log-reserve.ts';

/** Pages are wide because most of the file is long runs of lines. */
export const PAGE_BYTES = 8192;

/** The log that waits to be moved into the database file, and what a page takes there. */
const WAL_PAGES = 4096;
const WAL_BYTES = (WAL_PAGES + 1) * (PAGE_BYTES + 24);

const SQLITE: Dialect = {
  isOneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  textAt: (column, key) => `CASE WHEN json_valid(${column}) THEN json_extract(${column}, '$.${key}') END`,
  greater: (one, other) => `max(${one}, ${other})`,
};

/** A prepared statement; its rows have the columns that it names. */
export class Query<Row> {
  readonly #statement: Libsql.Statement;

  constructor(statement: Libsql.Statement) {
    this.#statement = statement;
  }

  /** Gives the number of rows that it changed. */
  run(values: readonly SqlValue[] = []): number {
    return this.#statement.run(values).changes;
  }

  get(values: readonly SqlValue[] = []): Row | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever writes a query says what its rows are
    return this.#statement.get(values) as Row | undefined;
  }

  /** Not for blobs, which the driver gives in another shape here. */
  all(values: readonly SqlValue[] = []): Row[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return this.#statement.all(values) as Row[];
  }
}

/** An open database that belongs to this process alone. */
export class Database {
  readonly file: string;
  readonly #libsql: Libsql.Database;
  #begin: Libsql.Statement | undefined;
  #commit: Libsql.Statement | undefined;
  readonly #queries = new Map<Statement<unknown>, Query<unknown>>();
  #marker: LogMarker | undefined;
  #reserve: LogReserve | undefined;
  /** While it is `held`, nothing is moved from the log into the file; what was there before is moved first. */
  #log: 'free' | 'to be held' | 'held' = 'free';

  /** Raises a {@link StoreError} when it cannot be opened. Nothing is written yet. */
  constructor(file: string) {
    this.file = file;
    try {
      this.#libsql = new Libsql(file);
      this.#libsql.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      // The lock is what keeps a second hub out; it is taken by the first read and held to the end.
      this.#libsql.pragma('locking_mode = EXCLUSIVE');
      this.#libsql.exec('PRAGMA foreign_keys = ON');
    } catch (error) {
      throw this.errorOf(error);
    }
  }

  /** From now on what is committed is on the disk. */
  makeDurable(): void {
    if (!this.#libsql.memory) keepPrivate(this.file);
    this.#libsql.pragma('journal_mode = WAL');
    this.#libsql.exec('PRAGMA synchronous = FULL');
    this.releaseLog();
    this.#libsql.pragma(`journal_size_limit = ${WAL_BYTES}`);
  }

  /** Begin with an empty log. From now on its end is kept, and it is longer than that: commits are faster there. */
  beginLog(): void {
    if (this.#libsql.memory) return;
    try {
      this.#libsql.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk must not keep the store from being read: it goes on in the log that is there, without a mark.
      return;
    }
    this.#reserve = new LogReserve(this.file, WAL_BYTES);
    this.#marker = new LogMarker(this.file, PAGE_BYTES);
  }

  /** Keep the end of the log, after one commit. */
  noteCommit(): void {
    this.#holdLog();
    if (!this.#marker) return;
    this.#marker.advance();
    this.#reserve?.keepAhead(this.#marker.end);
  }

  /** From the end of this commit on, and until {@link releaseLog}, the file has all that was committed up to then and stays as it is. */
  holdLog(): void {
    this.#libsql.pragma('wal_autocheckpoint = 0');
    this.#log = 'to be held';
  }

  /** Whether the file stays as it is. */
  get isLogHeld(): boolean {
    return this.#log === 'held';
  }

  releaseLog(): void {
    this.#log = 'free';
    this.#libsql.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
  }

  /** Nothing can be moved inside of a commit. */
  #holdLog(): void {
    if (this.#log !== 'to be held') return;
    try {
      const rows = this.#libsql.pragma('wal_checkpoint(PASSIVE)');
      const moved: unknown = Array.isArray(rows) ? rows[0] : undefined;
      if (numberAt(moved, 'log') === numberAt(moved, 'checkpointed')) this.#log = 'held';
    } catch {
      // There is no room for it: whoever waits for it is told.
    }
  }

  /** Move what is only in the log into the database. */
  emptyLog(): void {
    if (this.#log === 'free') this.#libsql.pragma('wal_checkpoint(PASSIVE)');
  }

  /** What is wrong with the log that was left behind; to be asked before anything is written. */
  examineLog(): DamagedLog | undefined {
    return this.#libsql.memory ? undefined : examineLeftLog(this.file, PAGE_BYTES);
  }

  prepare<Row = unknown>(sql: string): Query<Row> {
    return new Query<Row>(this.#libsql.prepare(sql));
  }

  /** Work that is done query by query. */
  work<Result>(steps: Steps<Result>): Result {
    let answer: unknown;
    for (;;) {
      const { done, value } = steps.next(answer);
      if (done) return value;
      const { statement, kind, values } = value;
      answer = this.#query(statement)[kind](values);
    }
  }

  #query(statement: Statement<unknown>): Query<unknown> {
    const known = this.#queries.get(statement);
    if (known) return known;
    const query = this.prepare(statement.textIn(SQLITE));
    this.#queries.set(statement, query);
    return query;
  }

  exec(sql: string): void {
    this.#libsql.exec(sql);
  }

  /** All of it or nothing. */
  transaction<Result>(work: () => Result): Result {
    this.#begin ??= this.#libsql.prepare('BEGIN');
    this.#commit ??= this.#libsql.prepare('COMMIT');
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      this.#marker?.lose();
      // Some failures have rolled back already.
      if (this.#libsql.inTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    try {
      this.releaseLog();
      this.emptyLog();
      // Before the log goes: a mark without a log means that it was lost.
      this.#marker?.clear();
      this.#libsql.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // What is in the log is safe there, and found again.
    }
    this.#marker?.close();
    this.#libsql.close();
  }

  /** What a failure of the driver means to the caller. */
  errorOf(error: unknown): StoreError {
    if (error instanceof StoreError) return error;
    const code = sqliteCode(error);
    if (code.startsWith('SQLITE_FULL')) return new StoreFullError(this.file);
    if (code.startsWith('SQLITE_BUSY')) return new StoreInUseError(this.file);
    if (isCorruption(error)) return new StoreCorruptError(`${this.file}: ${messageOf(error)}`);
    return new StoreFailedError(messageOf(error));
  }
}

/** Whether the file is not what SQLite wrote. */
export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB');
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
