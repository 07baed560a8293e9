import type { StoreFailure } from '../store-errors.ts';
import type { DamagedLog } from './log/damaged-log.ts';

/** A method of a part of the store, to be carried out where the database is. */
export interface Call {
  part: string;
  method: string;
  values: readonly unknown[];
}

/** Calls that are carried out as one: all of them, or none. Its value is the list of theirs. */
export interface CallGroup {
  together: readonly Call[];
}

/** What became of a {@link Call} or a {@link CallGroup}. */
export type Outcome = { state: 'done'; value: unknown } | { state: 'failed'; failure: StoreFailure };

/** What the thread of the database is told: calls for one commit, or to close. */
export type ToThread =
  | {
      calls: readonly (Call | CallGroup)[];
      /** One of them brings a long message. */
      isLong: boolean;
    }
  | 'close';

/** A database that is open: its epoch, and what was wrong with the log that was left behind. */
export interface OpenedDatabase {
  epoch: string;
  damagedLog: DamagedLog | undefined;
}

/** What it says: whether it is open, and what became of the calls. */
export type FromThread =
  | ({ state: 'open' } & OpenedDatabase)
  | { state: 'failed'; failure: StoreFailure }
  /** `unread` when the calls did not arrive as something that can be read: nothing was done. */
  | { state: 'committed'; outcomes: readonly Outcome[] | 'unread' };
