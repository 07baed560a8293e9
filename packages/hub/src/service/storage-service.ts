import { SignalboxError } from '@signalbox/protocol';
import { authorOf } from '../auth/identity.ts';
import type { Backup } from '../store/backup.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** The store lies in no file that could be copied. */
export class BackupUnavailableError extends SignalboxError {
  constructor() {
    super('BACKUP_UNAVAILABLE', 'This hub keeps nothing on a disk: there is nothing to back up.');
  }
}

/** The data of the hub as a whole. */
export class StorageService {
  readonly #store: Store;
  readonly #decisions: Decisions;

  constructor(store: Store, decisions: Decisions) {
    this.#store = store;
    this.#decisions = decisions;
  }

  /** A copy of everything: with it go what was said in every session, and the hashes of all tokens. */
  async backup(by: Device): Promise<Backup> {
    permit(by, 'admin');
    const { backups } = this.#store;
    if (!backups) throw new BackupUnavailableError();
    const backup = await backups.make();
    try {
      await this.#decisions.keep(authorOf(by), { what: 'back up', session: null });
      return backup;
    } catch (error) {
      await backup.return?.();
      throw error;
    }
  }
}
