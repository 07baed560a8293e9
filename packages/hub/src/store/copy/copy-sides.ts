import type { Run } from '../sql/run.ts';
import type { CopiedRow, CopiedTable } from './copied-tables.ts';

/** The counters of a store, which go on where they were. */
export interface StoreCounters {
  generation: number;
  /** The position of the last update. */
  position: number;
}

/** The entry at the end of what is known of a session. */
export interface RecordEnd {
  /** Its number; 0 when there is none. */
  last: number;
  /** Its check; `DAMAGED_CHECK` when it is damaged. */
  check: number;
}

/** A database that rows are read from. */
export interface RowReader {
  /** The rows of a table, in the order of its key. */
  rows(table: CopiedTable, columns: readonly string[]): AsyncIterable<CopiedRow>;
}

/** The database that is copied, as it is at one moment. */
export interface CopySource extends RowReader {
  /** Stays with the data of a hub wherever it is copied to. */
  readonly installation: string;
  /** Whether no hub can change it before {@link close}: only then a copy can be finished. */
  readonly isFinal: boolean;
  counters(): Promise<StoreCounters>;
  /** The number of sessions. */
  sessions(): Promise<number>;
  /** The number of the last entry of a session. */
  lastOf(session: number): Promise<number>;
  /** What a cursor on an entry carries. */
  checkAt(session: number, seq: number): Promise<number>;
  /** The entries of a session in runs, beginning with the run that has number `from`; entries that are lost are missing. */
  runs(session: number, from: number): AsyncIterable<Run>;
  /** To be asked at the end: false when a hub has begun to use it all the same. */
  isUnchanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** A run of a session. */
export interface SessionRun {
  session: number;
  run: Run;
}

/** What a session has in the copy. */
export interface CopiedExtent {
  session: number;
  last: number;
  /** How many of its entries are there, beside those that were trimmed. */
  entries: number;
}

/** The database that is copied to. Nobody else uses it before {@link finish}. */
export interface CopyTarget extends RowReader {
  /** What people are shown. */
  readonly name: string;
  /** All of it or nothing. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Rows are added, or replace the row of the same key. */
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** Rows go, with all that belongs to them. */
  remove(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  endOf(session: number): Promise<RecordEnd>;
  /** Runs that follow what the sessions have. */
  addRuns(runs: readonly SessionRun[]): Promise<void>;
  /** The stored runs of a session from number `from` on. */
  runsFrom(session: number, from: number): Promise<Run[]>;
  /** Remove the entries that the rows of these sessions call trimmed. */
  trim(sessions: readonly number[]): Promise<void>;
  /** Remove all entries of a session. */
  dropRuns(session: number): Promise<void>;
  extents(): AsyncIterable<CopiedExtent>;
  /** The copy is whole: hubs may use it. */
  finish(counters: StoreCounters): Promise<void>;
  close(): Promise<void>;
}
