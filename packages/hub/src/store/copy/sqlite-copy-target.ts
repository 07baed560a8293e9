import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Run } from '../sql/run.ts';
import { checkIn } from '../sql/window-parts.ts';
import { BlockBodies } from '../sqlite/block-bodies.ts';
import { Database } from '../sqlite/database.ts';
import { checkVersion, migrate } from '../sqlite/migrations.ts';
import { StoreNotEmptyError } from '../store-errors.ts';
import { type CopiedRow, type CopiedTable, SESSION, valuesOf } from './copied-tables.ts';
import type { CopiedExtent, CopyTarget, RecordEnd, SessionRun, StoreCounters } from './copy-sides.ts';
import { sqliteRows } from './sqlite-copy-rows.ts';

interface BlockPlace {
  id: number;
  first: number;
  count: number;
  checksum: number;
}

/** A database file that is copied to. It has another name until the copy is finished, so that no hub finds it. */
export class SqliteCopyTarget implements CopyTarget {
  readonly name: string;
  readonly #draft: string;
  readonly #database: Database;
  readonly #bodies: BlockBodies;
  #isOpen = true;

  /** Make a new file, or go on with an unfinished copy of this installation. Raises a `StoreError`. */
  constructor(file: string, installation: string) {
    if (existsSync(file)) throw new StoreNotEmptyError(file);
    this.name = file;
    this.#draft = `${file}-copy`;
    const database = new Database(this.#draft);
    try {
      checkVersion(database);
      database.makeDurable();
      migrate(database);
      claim(database, installation);
      this.#bodies = new BlockBodies(database);
    } catch (error) {
      database.close();
      throw database.errorOf(error);
    }
    this.#database = database;
  }

  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#database.exec('BEGIN');
    try {
      const result = await work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A failure of the disk may have ended it already.
      try {
        this.#database.exec('ROLLBACK');
      } catch {}
      throw this.#database.errorOf(error);
    }
  }

  rows(table: CopiedTable, columns: readonly string[]): AsyncIterable<CopiedRow> {
    return sqliteRows(this.#database, table, columns);
  }

  async put({ name, key, columns }: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    const names = Object.keys(columns);
    const places = names.map((column) => (columns[column] === 'bytes' ? 'unhex(?)' : '?'));
    const others = names.filter((column) => !key.includes(column));
    const change =
      others.length === 0
        ? 'NOTHING'
        : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`;
    const add = this.#database.prepare(
      `INSERT INTO ${name} (${names.join(', ')}) VALUES (${places.join(', ')}) ON CONFLICT (${key.join(', ')}) DO ${change}`,
    );
    for (const row of rows) add.run(valuesOf(row, names));
  }

  async remove(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    const { name, key } = table;
    const remove = this.#database.prepare(
      `DELETE FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`,
    );
    for (const row of rows) {
      if (table === SESSION) await this.dropRuns(Number(row.number));
      remove.run(valuesOf(row, key));
    }
  }

  async endOf(session: number): Promise<RecordEnd> {
    const place = this.#database
      .prepare<BlockPlace>(
        'SELECT id, first, count, checksum FROM block WHERE session = ? ORDER BY first DESC LIMIT 1',
      )
      .get([session]);
    if (!place) return { last: 0, check: 0 };
    const last = place.first + place.count - 1;
    return { last, check: checkIn(this.#runOf(place), last) };
  }

  async addRuns(runs: readonly SessionRun[]): Promise<void> {
    const add = this.#database.prepare(
      'INSERT INTO block (session, first, count, checksum, uuids, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { session, run } of runs) {
      const { first, count, checksum, body } = run;
      add.run([session, first, count, checksum, run.uuidHashes(), BlockBodies.start(body)]);
      this.#bodies.addRest(body);
    }
  }

  async runsFrom(session: number, from: number): Promise<Run[]> {
    return this.#database
      .prepare<BlockPlace>(
        'SELECT id, first, count, checksum FROM block WHERE session = ? AND first + count > ? ORDER BY first',
      )
      .all([session, from])
      .map((place) => this.#runOf(place));
  }

  async trim(sessions: readonly number[]): Promise<void> {
    const trim = this.#database.prepare(
      'DELETE FROM block WHERE session = ? AND first + count - 1 <= (SELECT trimmed FROM session WHERE number = ?)',
    );
    for (const session of sessions) trim.run([session, session]);
  }

  async dropRuns(session: number): Promise<void> {
    this.#database.prepare('DELETE FROM block WHERE session = ?').run([session]);
  }

  async *extents(): AsyncGenerator<CopiedExtent> {
    yield* this.#database
      .prepare<CopiedExtent>(
        `SELECT number AS session, coalesce(max(first + count - 1), 0) AS last,
            coalesce(sum(first + count - max(first, trimmed + 1)), 0) AS entries
          FROM session LEFT JOIN block ON block.session = session.number AND first + count - 1 > trimmed
          GROUP BY number`,
      )
      .all();
  }

  async finish({ generation, position }: StoreCounters): Promise<void> {
    await this.transaction(async () => {
      this.#database.prepare('UPDATE generation SET number = ?').run([generation]);
      this.#database.prepare('UPDATE recent_floor SET id = ?').run([position]);
    });
    await this.close();
    for (const suffix of ['-wal', '-shm']) rmSync(`${this.#draft}${suffix}`, { force: true });
    if (existsSync(this.name)) throw new StoreNotEmptyError(this.name);
    renameSync(this.#draft, this.name);
    const folder = openSync(dirname(this.name), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  async close(): Promise<void> {
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }

  #runOf({ id, first, count, checksum }: BlockPlace): Run {
    return new Run(first, count, this.#bodies.read(id) ?? new Uint8Array(), checksum);
  }
}

/** Raises `STORE_NOT_EMPTY` for a copy of something else. */
function claim(database: Database, installation: string): void {
  const { id, number } = database
    .prepare<{ id: string; number: number }>('SELECT id, number FROM installation, generation')
    .get() ?? { id: '', number: 0 };
  if (number > 0 && id !== installation) throw new StoreNotEmptyError(database.file);
  database.transaction(() => {
    database.prepare('UPDATE installation SET id = ?').run([installation]);
    // Nobody has opened it as a store: the number only says that the file belongs to a copy.
    database.prepare('UPDATE generation SET number = 1').run();
  });
}
