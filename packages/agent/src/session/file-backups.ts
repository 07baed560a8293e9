import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Backup } from './file-snapshots.ts';
import { CheckpointLimitError } from './session-errors.ts';

/** A larger file is not kept. */
export const CHECKPOINT_FILE_LIMIT_BYTES = 16 * 1024 * 1024;

/** A file's clock may lag behind ours: younger backups are compared byte by byte. */
const CLOCK_LAG_MS = 1_000;

/** Copies of files, each as it was at one point, in a folder of the session. */
export class FileBackups {
  readonly #folder: string;
  #bytes: Promise<Map<string, number>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How much is kept. */
  async totalBytes(): Promise<number> {
    let total = 0;
    for (const size of (await this.#sizes()).values()) total += size;
    return total;
  }

  /** Keep what a file is now. */
  async keep(path: string, version: number): Promise<Backup> {
    const backupTime = new Date().toISOString();
    const realParentDir = await realpath(dirname(path)).catch(() => undefined);
    const facts = { version, backupTime, ...(realParentDir === undefined ? {} : { realParentDir }) };
    const info = await fileInfo(path);
    if (!info) return { backupFileName: null, ...facts };
    if (info.size > CHECKPOINT_FILE_LIMIT_BYTES) {
      throw new CheckpointLimitError(`files of up to ${CHECKPOINT_FILE_LIMIT_BYTES} bytes`);
    }
    const backupFileName = `${createHash('sha256').update(path).digest('hex').slice(0, 16)}@v${version}`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // A fork may share what an earlier run left under this name.
    await rm(this.#fileOf(backupFileName), { force: true });
    await copyFile(path, this.#fileOf(backupFileName));
    (await this.#sizes()).set(backupFileName, info.size);
    return { backupFileName, ...facts };
  }

  /** Whether a file is no more, or not yet again, what it was. */
  async differs(path: string, backup: Backup): Promise<boolean> {
    const info = await fileInfo(path);
    if (!info || backup.backupFileName === null) return Boolean(info) !== (backup.backupFileName !== null);
    const kept = await stat(this.#fileOf(backup.backupFileName));
    if (info.size !== kept.size || info.mode !== kept.mode) return true;
    if (info.ctimeMs < Date.parse(backup.backupTime) - CLOCK_LAG_MS) return false;
    const [now, then] = await Promise.all([readFile(path), this.read(backup)]);
    return !now.equals(then);
  }

  /** What a file was; nothing, when it was not there. */
  async read({ backupFileName }: Backup): Promise<Buffer> {
    return backupFileName === null ? Buffer.alloc(0) : readFile(this.#fileOf(backupFileName));
  }

  /** Make a file what it was. */
  async restore(path: string, { backupFileName }: Backup): Promise<void> {
    const info = await lstat(path).catch(() => undefined);
    // What has become a link is not followed: it may lead to any file.
    if (info && (backupFileName === null || !info.isFile())) await rm(path);
    if (backupFileName === null) return;
    await mkdir(dirname(path), { recursive: true });
    await copyFile(this.#fileOf(backupFileName), path);
  }

  async remove(backupFileName: string): Promise<void> {
    await rm(this.#fileOf(backupFileName), { force: true });
    (await this.#sizes()).delete(backupFileName);
  }

  #sizes(): Promise<Map<string, number>> {
    this.#bytes ??= sizesIn(this.#folder);
    return this.#bytes;
  }

  #fileOf(name: string): string {
    return join(this.#folder, name);
  }
}

async function sizesIn(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return new Map(names.map((name, at) => [name, sizes[at] ?? 0]));
}

/** Nothing for a file that is not there; a folder or a device cannot be kept. */
async function fileInfo(path: string): Promise<Stats | undefined> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (info && !info.isFile()) throw new CheckpointLimitError('files only');
  return info;
}
