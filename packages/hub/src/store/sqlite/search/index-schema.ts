import { rmSync } from 'node:fs';
import { messageOf } from '@signalbox/protocol';
import { StoreCorruptError } from '../../store-errors.ts';
import { Database, isCorruption } from '../database.ts';
import { keepPrivate } from '../keep-private.ts';

/** An index of another version is made anew: all that it has is in the record. */
const VERSION = 3;

/**
 * `said` has a row for each piece of an entry, numbered by its time (`row-numbers.ts`): the newest are found first, and the
 * search ends there. What a search may be held to (session, tool, person) is a word in `facets`: one word more to look for,
 * instead of a look at each row that has the words. `session` has how far each session is indexed,
 * `prompt` where its turns begin.
 */
const SCHEMA = `
  CREATE VIRTUAL TABLE said USING fts5(
    text, facets, session UNINDEXED, seq UNINDEXED, time UNINDEXED, kind UNINDEXED, tool UNINDEXED,
    author UNINDEXED,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '3', columnsize = 0
  );
  CREATE TABLE session (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    folder TEXT,
    seq INTEGER NOT NULL DEFAULT 0,
    seal INTEGER NOT NULL DEFAULT 0,
    trimmed INTEGER NOT NULL DEFAULT 0,
    walk INTEGER NOT NULL
  );
  CREATE TABLE prompt (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    time REAL NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) WITHOUT ROWID;
  CREATE INDEX session_folder ON session (folder);
  CREATE TABLE name (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE progress (position INTEGER NOT NULL, walk INTEGER NOT NULL, is_walking INTEGER NOT NULL);
  INSERT INTO progress VALUES (0, 0, 0);
  PRAGMA user_version = ${VERSION};
`;

/** The log of an index that is left behind. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Open the index in a file: an empty one where there is none, or none of this version. */
export function openIndex(file: string): Database {
  const database = new Database(file);
  try {
    const version = database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version;
    if (version === 0 || version === VERSION) {
      prepareFile(database);
      if (version === 0) database.transaction(() => database.exec(SCHEMA));
      return database;
    }
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  removeIndex(file);
  return openIndex(file);
}

/** Whether the index is not what was written: it has to be made anew. */
export function isDamage(error: unknown): boolean {
  return (
    isCorruption(error) ||
    error instanceof StoreCorruptError ||
    /no such (?:table|column)/.test(messageOf(error))
  );
}

export function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

/** What a crash of the machine takes from the log is indexed again: how far it got is in the same log. */
function prepareFile(database: Database): void {
  keepPrivate(database.file);
  database.prepare('PRAGMA journal_mode = WAL').get();
  database.exec('PRAGMA synchronous = NORMAL');
  database.prepare(`PRAGMA journal_size_limit = ${LOG_BYTES}`).get();
}
