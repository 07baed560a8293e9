import { SignalboxError } from '@signalbox/protocol';
import type { Author, RetentionChange, RetentionLimits, Storage, SweepReport } from '@signalbox/protocol/hub';
import { retention } from '@signalbox/protocol/hub/routes';
import { authorOf } from '../auth/identity.ts';
import { KeyedQueue } from '../base/keyed-queue.ts';
import type { Backup } from '../store/backup.ts';
import type { Device } from '../store/device.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';
import { type SweepParts, sweep } from './retention-sweep.ts';

/** The store lies in no file that could be copied. */
export class BackupUnavailableError extends SignalboxError {
  constructor() {
    super(
      'BACKUP_UNAVAILABLE',
      'This hub keeps its data in no file. What is in PostgreSQL is backed up with pg_dump (docs/SCALE.md).',
    );
  }
}

/** The limits of this hub are not its own to write. */
export class SettingsUnavailableError extends SignalboxError {
  constructor() {
    super('SETTINGS_UNAVAILABLE', 'This hub has no file of settings: whoever starts it says what it keeps.');
  }
}

/** Where the limits of what is kept are written down. */
export interface RetentionSettings {
  /** Read before each sweep. Raises when what is written there makes no sense. */
  read: () => RetentionLimits;
  write?: (limits: RetentionLimits) => void;
}

/** What a {@link StorageService} works with. */
export interface StorageServiceParts extends SweepParts {
  decisions: Decisions;
  settings: RetentionSettings;
  onTrouble: (error: unknown) => void;
}

/** How often what is old is taken away. */
const SWEEP_MS = 60 * 60_000;

/** The data of the hub as a whole. */
export class StorageService {
  readonly #parts: StorageServiceParts;
  readonly #sweeps = new KeyedQueue();
  #last: SweepReport | null = null;

  constructor(parts: StorageServiceParts) {
    this.#parts = parts;
  }

  /** A copy of everything: with it go what was said in every session, and the hashes of all tokens. */
  async backup(by: Device): Promise<Backup> {
    permit(by, 'admin');
    const { store, decisions } = this.#parts;
    if (!store.backups) throw new BackupUnavailableError();
    const backup = await store.backups.make();
    try {
      await decisions.keep(authorOf(by), { what: 'back up', session: null });
      return backup;
    } catch (error) {
      await backup.return?.();
      throw error;
    }
  }

  /** What it takes, and how long it is kept. */
  async state(by: Device): Promise<Storage> {
    permit(by, 'watch');
    const size = await this.#parts.store.retention.size();
    return { ...size, retention: this.#parts.settings.read(), lastSweep: this.#last };
  }

  /** Other limits, from the next sweep on. */
  async change(by: Device, change: RetentionChange): Promise<Storage> {
    permit(by, 'admin');
    const { settings, decisions } = this.#parts;
    const { read, write } = settings;
    if (!write) throw new SettingsUnavailableError();
    write(limitsAfter(read(), change));
    const subject = JSON.stringify(change);
    await decisions.keep(authorOf(by), { what: 'set retention', session: null, subject });
    return this.state(by);
  }

  /** Take away what is old now. */
  async sweep(by: Device, limits = this.#parts.settings.read(), isTrial = false): Promise<SweepReport> {
    permit(by, 'admin');
    return this.#sweep(authorOf(by), limits, isTrial);
  }

  /** Do so from now on, by itself. Gives the way to stop it. */
  begin(): () => void {
    const work = (): void => {
      const limits = this.#limits();
      if (limits) void this.#sweep({ by: 'hub' }, limits, false).catch(this.#parts.onTrouble);
    };
    work();
    const timer = setInterval(work, SWEEP_MS).unref();
    return () => clearInterval(timer);
  }

  /** Undefined when nothing is to be taken away, or what was written down makes no sense any more. */
  #limits(): RetentionLimits | undefined {
    try {
      const limits = this.#parts.settings.read();
      return Object.keys(limits).some((name) => name !== 'archive') ? limits : undefined;
    } catch (error) {
      this.#parts.onTrouble(error);
      return undefined;
    }
  }

  #sweep(author: Author, limits: RetentionLimits, isTrial: boolean): Promise<SweepReport> {
    return this.#sweeps.run('', async () => {
      const report = await sweep(this.#parts, limits, { isTrial });
      if (isTrial) return report;
      this.#last = report;
      const { trimmed, forgotten } = report;
      const counts = { records: trimmed.length, ...forgotten };
      if (Object.values(counts).some((count) => count > 0))
        await this.#parts.decisions.keep(author, {
          what: 'take away what is old',
          session: null,
          subject: JSON.stringify(counts),
        });
      return report;
    });
  }
}

/** Null takes a limit away, and what is not named stays as it was. */
function limitsAfter(limits: RetentionLimits, change: RetentionChange): RetentionLimits {
  const after = Object.entries({ ...limits, ...change }).filter(([, value]) => value !== null);
  return retention.parse(Object.fromEntries(after));
}
