import type { DamagedLog } from '../sqlite/log/damaged-log.ts';
import type { StoreFailure } from '../store-errors.ts';

/** A method of a part of the store, to be carried out where the database is. */
export interface Call {
  part: string;
  method: string;
  values: readonly unknown[];
}

/** Carries out calls where the database is; what is in `transfer` may be given away. */
export type Caller = (call: Call, transfer?: readonly ArrayBuffer[]) => Promise<unknown>;

/** What became of a {@link Call}. */
export type Outcome = { state: 'done'; value: unknown } | { state: 'failed'; failure: StoreFailure };

/** What the thread of the database is told: calls for one commit, or to close. */
export type ToThread =
  | {
      calls: readonly Call[];
      /** One of them brings a long message. */
      isLong: boolean;
    }
  | 'close';

/** A database that is open: its generation, and what was wrong with the log that was left behind. */
export interface OpenedDatabase {
  generation: number;
  damagedLog: DamagedLog | undefined;
}

/** What it says: whether it is open, and what became of the calls. */
export type FromThread =
  | ({ state: 'open' } & OpenedDatabase)
  /** `isUncertain` when nobody knows what became of the calls that are on their way. */
  | { state: 'failed'; failure: StoreFailure; isUncertain?: boolean }
  /** Nobody knows what became of the calls: they are answered once that is found out. What comes meanwhile is refused by this. */
  | { state: 'doubt'; failure: StoreFailure }
  /** `unread` when the calls did not arrive as something that can be read: nothing was done. */
  | { state: 'committed'; outcomes: readonly Outcome[]; position: number }
  | { state: 'committed'; outcomes: 'unread' };
