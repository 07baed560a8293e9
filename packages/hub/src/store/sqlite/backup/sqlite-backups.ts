import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KeyedQueue } from '../../../base/keyed-queue.ts';
import type { Backup, Backups } from '../../backup.ts';
import type { Caller } from '../../sql/call.ts';
import { StoreClosedError } from '../../store-errors.ts';
import { copyOnThread } from './backup-task.ts';
import { OpenBackup } from './open-backup.ts';
import { removeDatabase } from './remove-database.ts';

/**
 * Copies of a database in use. While one is made, commits stay in the log and the file itself is as it was: its bytes are those of
 * one moment.
 */
export class SqliteBackups implements Backups {
  readonly #file: string;
  readonly #call: Caller;
  readonly #queue = new KeyedQueue();
  readonly #closing = new AbortController();

  constructor(file: string, call: Caller) {
    this.#file = file;
    this.#call = call;
    // What a killed process was copying.
    const start = `${basename(file)}-backup-`;
    for (const name of readdirSync(dirname(file)))
      if (name.startsWith(start)) removeDatabase(join(dirname(file), name));
  }

  make(): Promise<Backup> {
    return this.#queue.run('', async () => {
      const copy = `${this.#file}-backup-${randomUUID()}`;
      await this.#ask('holdLog');
      try {
        // The log is emptied after the commit of the call before: this one is answered when that is done.
        await this.#ask('awaitHold');
        await copyOnThread(this.#file, copy, this.#closing.signal).catch((error: unknown) => {
          throw this.#closing.signal.aborted ? new StoreClosedError() : error;
        });
        // What a closing store moves into its file may be in the copy by halves.
        if (this.#closing.signal.aborted) throw new StoreClosedError();
        return await OpenBackup.open(copy);
      } finally {
        removeDatabase(copy);
        // A store that is closing lets go of its log by itself.
        await this.#ask('releaseLog').catch(() => {});
      }
    });
  }

  /** Ends what is being copied. To be called no later than the database is closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue.run('', () => Promise.resolve());
  }

  #ask(method: 'holdLog' | 'awaitHold' | 'releaseLog'): Promise<unknown> {
    return this.#call({ part: 'disk', method, values: [] });
  }
}
