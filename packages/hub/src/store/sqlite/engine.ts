import type { Call, Outcome } from '../sql/call.ts';
import { PartCalls } from '../sql/part-calls.ts';
import { failureOf, StoreLogDamagedError } from '../store-errors.ts';
import { Database } from './database.ts';
import type { DamagedLog } from './log/damaged-log.ts';
import { checkVersion, migrate } from './migrations.ts';
import { SqliteRecordChanges } from './record-changes.ts';
import { RecordReader } from './record-reader.ts';
import { RecordWriter } from './record-writer.ts';
import { SqliteDisk } from './sqlite-disk.ts';
import { SqliteRecord } from './sqlite-record.ts';
import { SqliteRetention } from './sqlite-retention.ts';
import { SqliteUpdates } from './sqlite-updates.ts';

/** A database with all parts of the store on it. Its callers get a value only when what led to it is durable. */
export class Engine {
  readonly generation: number;
  /** Set when the log of the database, or the end of it, is lost. */
  readonly lostLog: DamagedLog | undefined;
  readonly #database: Database;
  readonly #writer: RecordWriter;
  readonly #reader: RecordReader;
  readonly #calls: PartCalls;

  /**
   * Raises a {@link StoreError} when the file cannot be used: `STORE_LOG_DAMAGED` when its log had to be mended, and
   * it can be opened again on another thread.
   */
  constructor(file: string) {
    const database = new Database(file);
    try {
      checkVersion(database);
      const damage = database.examineLog();
      if (damage?.outcome === 'restored' || damage?.outcome === 'patched')
        throw new StoreLogDamagedError(file);
      this.lostLog = damage;
      database.makeDurable();
      migrate(database);
      this.generation = beginGeneration(database);
      this.#database = database;
      this.#writer = new RecordWriter(database, this.generation);
      const record = new SqliteRecordChanges(this.#writer, database);
      this.#reader = new RecordReader(database);
      this.#calls = new PartCalls(record, {
        updates: new SqliteUpdates(database, this.#writer),
        record: new SqliteRecord(this.#reader, this.#writer),
        disk: new SqliteDisk(database),
        retention: new SqliteRetention(database, this.#reader, this.#writer),
      });
      database.work(this.#calls.sessions.removeHalfImported());
      database.beginLog();
    } catch (error) {
      database.close();
      throw database.errorOf(error);
    }
  }

  /** Carry out calls in their order, in one commit; when that fails, each in one of its own. */
  perform(calls: readonly Call[]): Outcome[] {
    try {
      this.#writer.begin();
      return this.#database.transaction(() => {
        const outcomes = calls.map((call) => this.#database.work(this.#calls.outcomeOf(call)));
        this.#writer.write();
        return outcomes;
      });
    } catch (error) {
      this.#writer.undo();
      if (this.#reader.foundBroken()) return this.perform(calls);
      if (calls.length === 1) return [{ state: 'failed', failure: failureOf(this.#database.errorOf(error)) }];
      return calls.flatMap((call) => this.perform([call]));
    }
  }

  /** The position of the last update. */
  get position(): number {
    return this.#writer.position;
  }

  /** After {@link perform}, when its callers have been answered. */
  noteCommit(): void {
    this.#database.noteCommit();
  }

  /** There is nothing to do for a while. */
  rest(): void {
    try {
      this.#database.emptyLog();
    } catch {
      // The disk is full, or fails: what is in the log is safe there, and whoever writes next is told.
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Every opening has a greater number than those before it. */
function beginGeneration(database: Database): number {
  const next = database.prepare<{ number: number }>(
    'UPDATE generation SET number = number + 1 RETURNING number',
  );
  return next.get()?.number ?? 0;
}
