import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseThereError, StoreCorruptError } from '../../store-errors.ts';
import { Database } from '../database.ts';
import { damageFile } from '../log/damaged-log.ts';
import { markFile } from '../log/log-mark.ts';
import { type CopiedDatabase, copyDatabase } from './copy-database.ts';
import { removeDatabase } from './remove-database.ts';

/** A backup that was put in its place. */
export interface PutBack extends CopiedDatabase {
  /** The folder with the database that was there before. */
  aside: string | undefined;
}

/**
 * Make a backup the database of a hub that does not run. The one that was there is kept in a folder beside it. Until all of the
 * backup is there and proven sound, nothing is touched. Raises `STORE_IN_USE`, `STORE_THERE`, and what {@link copyDatabase} raises.
 */
export function putBack(backup: string, file: string, { replaces }: { replaces: boolean }): PutBack {
  const isThere = existsSync(file);
  if (isThere && !replaces) throw new DatabaseThereError(file);
  const draft = draftOf(file);
  removeDatabase(draft);
  const copied = copyDatabase(backup, draft, { isForeign: true });
  try {
    const aside = isThere ? replaceDatabase(file, draft) : undefined;
    if (!isThere) putInPlace(file, draft);
    return { ...copied, aside };
  } finally {
    removeDatabase(draft);
  }
}

/** Where a backup is copied to before it becomes the database. */
export function draftOf(file: string): string {
  return `${file}-backup-restored`;
}

function replaceDatabase(file: string, draft: string): string {
  // First of all: to lock it takes its log away.
  const aside = keepAside(file);
  const old = lockDatabase(file, () => rmSync(aside, { recursive: true, force: true }));
  try {
    putInPlace(file, draft);
  } finally {
    old?.close();
  }
  return aside;
}

function putInPlace(file: string, draft: string): void {
  // A log applies to whatever database is beside it, and an index to the numbers of its own: neither may meet another.
  for (const left of filesBeside(file)) rmSync(left, { force: true });
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Keeps hubs out for as long as it is open; undefined for a database that no hub can open. Raises `STORE_IN_USE`. */
function lockDatabase(file: string, onRefused: () => void): Database | undefined {
  const database = new Database(file);
  try {
    // Closing a database removes its log by name: from beside what is there by then.
    for (const mode of ['DELETE', 'MEMORY']) database.exec(`PRAGMA journal_mode = ${mode}`);
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    const known = database.errorOf(error);
    if (known instanceof StoreCorruptError) return undefined;
    onRefused();
    throw known;
  }
}

/** Every file of a database, under a second name. */
function keepAside(file: string): string {
  const folder = `${file}-replaced-${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`;
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const kept of [file, ...filesBeside(file)])
    if (existsSync(kept)) linkSync(kept, join(folder, basename(kept)));
  syncFolder(folder);
  return folder;
}

function filesBeside(file: string): string[] {
  const index = ['', '-wal', '-shm'].map((suffix) => `${file}-search${suffix}`);
  return [markFile(file), damageFile(file), `${file}-wal`, `${file}-shm`, `${file}-journal`, ...index];
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
