import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { StoreCorruptError, StoreFailedError, StoreFullError } from '../../store-errors.ts';
import { Database } from '../database.ts';
import { checkVersion } from '../migrations.ts';
import { assertTyped } from './assert-typed.ts';
import { removeDatabase } from './remove-database.ts';

const CHUNK_BYTES = 1024 * 1024;

/** What a copy holds. */
export interface CopiedDatabase {
  bytes: number;
  sessions: number;
}

/** Where a database comes from. */
interface Source {
  /** Somebody may have made it up. */
  isForeign?: boolean;
}

/**
 * Copy a database that nobody writes to meanwhile, and prove that the copy is one: all of it, or nothing. It is one file, readable
 * by its owner alone. Raises `STORE_FULL`, `STORE_TOO_NEW` or `STORE_CORRUPT`.
 */
export function copyDatabase(from: string, to: string, source: Source = {}): CopiedDatabase {
  try {
    copyBytes(from, to);
    return checkDatabase(to, source);
  } catch (error) {
    removeDatabase(to);
    throw isFull(error) ? new StoreFullError(to) : error;
  }
}

/** What a database holds that nobody uses, when it is sound. Raises `STORE_TOO_NEW` or `STORE_CORRUPT`. */
export function checkDatabase(file: string, { isForeign = false }: Source = {}): CopiedDatabase {
  const database = new Database(file);
  try {
    const isOurs = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'session'").get() !== undefined;
    if (!isOurs) throw new StoreCorruptError(`${file} is no database of a hub`);
    // The hub's own have none, and they would be carried out with everything that the hub stores.
    const added = database
      .prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1")
      .get();
    if (added) throw new StoreCorruptError(`${file} has a trigger or a view, ${quoted(added.name)}`);
    checkVersion(database);
    const found = database.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').get()?.quick_check;
    if (found !== 'ok') throw new StoreCorruptError(`${file} is damaged (${found ?? 'nothing can be read'})`);
    if (isForeign) assertTyped(database);
    const sessions = database.prepare<{ count: number }>('SELECT count(*) AS count FROM session').get();
    // Else what opens it next would put a log beside it.
    database.exec('PRAGMA journal_mode = DELETE');
    return { bytes: statSync(file).size, sessions: sessions?.count ?? 0 };
  } catch (error) {
    throw database.errorOf(error);
  } finally {
    database.close();
  }
}

/** Whoever made the file up has chosen the name. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function copyBytes(from: string, to: string): void {
  const source = openSync(from, 'r');
  try {
    // Never through a link that somebody has put there.
    const target = openSync(to, 'wx', 0o600);
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk))
        writeAll(target, chunk.subarray(0, read));
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    const count = writeSync(file, bytes, written);
    if (count === 0) throw new StoreFailedError('a copy of the database cannot be written');
    written += count;
  }
}

function isFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ENOSPC' || code === 'EDQUOT';
}
