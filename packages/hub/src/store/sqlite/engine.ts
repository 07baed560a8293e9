import { failureOf, StoreError, StoreFailedError, StoreLogDamagedError } from '../store-errors.ts';
import type { Call, Outcome } from './call.ts';
import { Database } from './database.ts';
import type { DamagedLog } from './log/damaged-log.ts';
import { checkVersion, migrate } from './migrations.ts';
import { RecordReader } from './record-reader.ts';
import { RecordWriter } from './record-writer.ts';
import { SqliteAnswers } from './sqlite-answers.ts';
import { SqliteAudit } from './sqlite-audit.ts';
import { SqliteBudgets } from './sqlite-budgets.ts';
import { SqliteComments } from './sqlite-comments.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import { SqliteDevices } from './sqlite-devices.ts';
import { SqliteDisk } from './sqlite-disk.ts';
import { SqliteInbox } from './sqlite-inbox.ts';
import { SqliteLaunches } from './sqlite-launches.ts';
import { SqliteLoops } from './sqlite-loops.ts';
import { SqliteNotices } from './sqlite-notices.ts';
import { SqlitePermissions } from './sqlite-permissions.ts';
import { SqliteRecord } from './sqlite-record.ts';
import { SqliteRetention } from './sqlite-retention.ts';
import { SqliteRules } from './sqlite-rules.ts';
import { SqliteSessions } from './sqlite-sessions.ts';
import { SqliteSpend } from './sqlite-spend.ts';
import { SqliteUpdates } from './sqlite-updates.ts';

/** A database with all parts of the store on it. Its callers get a value only when what led to it is durable. */
export class Engine {
  readonly generation: number;
  /** Set when the log of the database, or the end of it, is lost. */
  readonly lostLog: DamagedLog | undefined;
  readonly #database: Database;
  readonly #writer: RecordWriter;
  readonly #reader: RecordReader;
  readonly #commits: SqliteCommits;
  readonly #parts: Readonly<Record<string, object>>;

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
      const audit = new SqliteAudit(database);
      const notices = new SqliteNotices(database);
      this.#database = database;
      this.#writer = new RecordWriter(database, this.generation);
      this.#reader = new RecordReader(database);
      const changed = {
        sessions: new SqliteSessions(database, this.#writer),
        inbox: new SqliteInbox(database),
        permissions: new SqlitePermissions(database, audit, notices),
        rules: new SqliteRules(database),
        budgets: new SqliteBudgets(database),
        spend: new SqliteSpend(database),
        notices,
        audit,
        devices: new SqliteDevices(database, audit),
        answers: new SqliteAnswers(database),
      };
      this.#commits = new SqliteCommits(this.#writer, changed);
      this.#parts = {
        ...changed,
        commits: this.#commits,
        updates: new SqliteUpdates(database, this.#writer),
        record: new SqliteRecord(this.#reader, this.#writer),
        launches: new SqliteLaunches(database),
        loops: new SqliteLoops(database),
        comments: new SqliteComments(database),
        disk: new SqliteDisk(database),
        retention: new SqliteRetention(database, this.#reader, this.#writer),
      };
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
        const outcomes = calls.map((call) => this.#outcomeOf(call));
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

  /** What a part refuses, it refuses before it has written anything; other errors fail the commit. */
  #outcomeOf(call: Call): Outcome {
    try {
      return { state: 'done', value: this.#valueOf(call) };
    } catch (error) {
      const isRefusal = error instanceof StoreError && !(call.part === 'commits' && this.#commits.isHalfDone);
      if (isRefusal) return { state: 'failed', failure: failureOf(error) };
      throw error;
    }
  }

  #valueOf({ part, method, values }: Call): unknown {
    const target = this.#parts[part];
    const work: unknown = target && Reflect.get(target, method);
    if (typeof work !== 'function') throw new StoreFailedError(`there is no ${part}.${method}`);
    return Reflect.apply(work, target, values);
  }
}

/** Every opening has a greater number than those before it. */
function beginGeneration(database: Database): number {
  const next = database.prepare<{ number: number }>(
    'UPDATE generation SET number = number + 1 RETURNING number',
  );
  return next.get()?.number ?? 0;
}
