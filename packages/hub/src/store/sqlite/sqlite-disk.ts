import type { Disk } from '../disk.ts';
import type { Immediate } from '../sql/part.ts';
import { StoreFullError } from '../store-errors.ts';
import type { Database } from './database.ts';

/** More than a page, so that it does not fit where a line would not. */
const PROBE_BYTES = 64 * 1024;

/** Writes to a table that holds nothing. */
export class SqliteDisk implements Immediate<Disk> {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  probe(): void {
    this.#database.exec(`UPDATE probe SET body = randomblob(${PROBE_BYTES})`);
  }

  /** For a copy of the file: see {@link Database.holdLog}. */
  holdLog(): void {
    this.#database.holdLog();
  }

  /** Raises `STORE_FULL` when the log could not be moved into the file. */
  awaitHold(): void {
    if (!this.#database.isLogHeld) throw new StoreFullError(this.#database.file);
  }

  releaseLog(): void {
    this.#database.releaseLog();
  }
}
