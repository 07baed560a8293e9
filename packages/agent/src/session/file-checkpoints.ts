import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TranscriptEntry } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { countLineChanges } from '../base/line-diff.ts';
import { FileBackups } from './file-backups.ts';
import { type Backup, type Snapshot, snapshotEntry, snapshotsIn } from './file-snapshots.ts';
import {
  CheckpointLimitError,
  CheckpointNotFoundError,
  CheckpointSkippedError,
  RewindFailedError,
} from './session-errors.ts';
import type { SessionLog } from './transcript.ts';

/** Files that a session can take back. */
const TRACKED_FILES_LIMIT = 500;
/** Turns that can be gone back to; older ones are forgotten. */
const SNAPSHOTS_LIMIT = 100;
/** What all copies of a session may take together; past it, the oldest turns are forgotten. */
const BACKUPS_LIMIT_BYTES = 1024 * 1024 * 1024;

/** What checkpoints need. */
export interface FileCheckpointsOptions {
  /** The session's folder of backups. */
  folder: string;
  cwd: string;
  log: SessionLog;
  /** What the transcript of a resumed session says about files. */
  history?: readonly TranscriptEntry[];
  /** How much is kept on disk; a gibibyte unless told otherwise. */
  limitBytes?: number;
  /** Called when a file is changed without a checkpoint. */
  onSkip: (error: CheckpointSkippedError) => void;
}

/** What a rewind did, or would do. */
export type RewindOutcome =
  | { canRewind: true }
  | { canRewind: true; filesChanged: string[]; insertions: number; deletions: number };

/** Remembers files as they were before each turn, and puts them back. */
export class FileCheckpoints {
  readonly #options: FileCheckpointsOptions;
  readonly #backups: FileBackups;
  readonly #snapshots: Map<string, Snapshot>;
  #turn: Snapshot | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: FileCheckpointsOptions) {
    this.#options = options;
    this.#backups = new FileBackups(options.folder);
    this.#snapshots = snapshotsIn(options.history ?? [], options.cwd);
    this.#turn = [...this.#snapshots.values()].at(-1);
  }

  /** A user message begins a turn: what is changed from here on can be taken back to it. */
  startTurn(messageId: string): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#turn;
      const turn: Snapshot = { messageId, timestamp: new Date().toISOString(), files: new Map() };
      this.#snapshots.set(messageId, turn);
      this.#turn = turn;
      // Somebody else may have changed these files since.
      for (const [path, backup] of before?.files ?? []) {
        await this.#orSkip(path, async () => {
          turn.files.set(path, (await this.#hasChanged(path, backup)) ? await this.#keep(path) : backup);
        });
      }
      await this.#forget(() => this.#snapshots.size > SNAPSHOTS_LIMIT);
      this.#options.log.addNote(snapshotEntry(turn, this.#options.cwd));
    });
  }

  /** Keep what a file is, before a tool changes it for the first time. Never throws: the change goes on. */
  beforeFileChange(path: string): Promise<void> {
    return this.#inTurn(async () => {
      const { cwd, log } = this.#options;
      const turn = this.#turn;
      // A change through a link changes the file that it leads to.
      const file = realPath(path);
      if (!turn || turn.files.has(file)) return;
      await this.#orSkip(file, async () => {
        if (turn.files.size >= TRACKED_FILES_LIMIT) {
          throw new CheckpointLimitError(`up to ${TRACKED_FILES_LIMIT} files`);
        }
        turn.files.set(file, await this.#keep(file));
        log.addNote(snapshotEntry(turn, cwd, { messageId: log.lastUuid ?? turn.messageId }));
        // A crash right after the change must find the way back on disk.
        await log.flush();
      });
    });
  }

  /** Put every file back to what it was when the message was sent; a dry run only says what that would change. */
  rewind(messageId: string, options: { dryRun?: boolean } = {}): Promise<RewindOutcome> {
    return this.#inTurn(async () => {
      const changed = await this.#changedSince(messageId);
      if (options.dryRun) return await this.#preview(changed);
      const failures = new Map<string, unknown>();
      for (const [path, backup] of changed) {
        await this.#backups.restore(path, backup).catch((error: unknown) => failures.set(path, error));
      }
      if (failures.size > 0) throw new RewindFailedError(failures);
      return { canRewind: true };
    });
  }

  async #changedSince(messageId: string): Promise<Map<string, Backup>> {
    const snapshots = [...this.#snapshots.values()];
    const at = snapshots.findIndex((snapshot) => snapshot.messageId === messageId);
    if (at === -1) throw new CheckpointNotFoundError();
    const files = new Map<string, Backup>();
    // A file that was first changed in a later turn was until then what it was at that turn.
    for (const snapshot of snapshots.slice(at)) {
      for (const [path, backup] of snapshot.files) if (!files.has(path)) files.set(path, backup);
    }
    for (const [path, backup] of files) {
      if (hasMoved(path, backup) || !(await this.#hasChanged(path, backup))) files.delete(path);
    }
    return files;
  }

  async #preview(changed: ReadonlyMap<string, Backup>): Promise<RewindOutcome> {
    let insertions = 0;
    let deletions = 0;
    for (const [path, backup] of changed) {
      const then = await this.#backups.read(backup).catch((error: unknown) => {
        throw new RewindFailedError(new Map([[path, error]]));
      });
      const changes = countLineChanges(await textOf(path), then.toString());
      insertions += changes.insertions;
      deletions += changes.deletions;
    }
    return { canRewind: true, filesChanged: [...changed.keys()], insertions, deletions };
  }

  /** What cannot be compared is put back, or kept anew. */
  async #hasChanged(path: string, backup: Backup): Promise<boolean> {
    return this.#backups.differs(path, backup).catch(() => true);
  }

  async #keep(path: string): Promise<Backup> {
    const limit = this.#options.limitBytes ?? BACKUPS_LIMIT_BYTES;
    const isFull = async (): Promise<boolean> => (await this.#backups.totalBytes()) >= limit;
    await this.#forget(isFull);
    if (await isFull()) throw new CheckpointLimitError(`up to ${limit} bytes`);
    const versions = [...this.#snapshots.values()].map(({ files }) => files.get(path)?.version ?? 0);
    return this.#backups.keep(path, Math.max(0, ...versions) + 1);
  }

  /** Forget the oldest turns, but never the current one, and the copies that only they needed. */
  async #forget(isTooMuch: () => boolean | Promise<boolean>): Promise<void> {
    for (const [messageId, { files }] of this.#snapshots) {
      if (messageId === this.#turn?.messageId || !(await isTooMuch())) return;
      this.#snapshots.delete(messageId);
      const needed = new Set(
        [...this.#snapshots.values()].flatMap((other) => [...other.files.values()].map(nameOf)),
      );
      for (const name of [...files.values()].map(nameOf)) {
        if (name !== null && !needed.has(name)) await this.#backups.remove(name);
      }
    }
  }

  async #orSkip(path: string, keep: () => Promise<void>): Promise<void> {
    await keep().catch((error: unknown) => this.#options.onSkip(new CheckpointSkippedError(path, error)));
  }

  /** Tools run side by side; the checkpoints are changed one after the other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

function nameOf(backup: Backup): string | null {
  return backup.backupFileName;
}

/** A folder on the way was replaced by a link: what lies there now is another file. */
function hasMoved(path: string, { realParentDir }: Backup): boolean {
  return realParentDir !== undefined && realPath(dirname(path)) !== realParentDir;
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
