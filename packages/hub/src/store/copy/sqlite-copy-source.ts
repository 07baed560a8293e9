import { Run } from '../sql/run.ts';
import { checkIn } from '../sql/window-parts.ts';
import { BlockBodies } from '../sqlite/block-bodies.ts';
import { Database, isCorruption } from '../sqlite/database.ts';
import { checkVersion, migrate } from '../sqlite/migrations.ts';
import { type CopiedRow, type CopiedTable, SESSION } from './copied-tables.ts';
import type { CopySource, StoreCounters } from './copy-sides.ts';
import { sqliteRows } from './sqlite-copy-rows.ts';

/** A row of `block` or `recent` without its body. */
interface RunPlace {
  id: number;
  first: number;
  count: number;
  checksum: number;
}

interface RecentRow extends RunPlace {
  session: number;
  link_epoch: string | null;
  link_count: number | null;
}

/** What of a session is not in blocks. */
interface RecentRuns {
  places: RunPlace[];
  position: number;
  link: { epoch: string; count: number } | undefined;
}

/** A database file of a hub that nobody else has open. */
export class SqliteCopySource implements CopySource {
  readonly installation: string;
  readonly isFinal: boolean;
  readonly #database: Database;
  readonly #recent: ReadonlyMap<number, RecentRuns>;

  /** `isFinal` unless the file is a copy of what a hub goes on with. Raises a `StoreError`. */
  constructor(file: string, { isFinal }: { isFinal: boolean }) {
    const database = new Database(file);
    try {
      checkVersion(database);
      migrate(database);
      this.#recent = recentOf(database);
      this.installation = database.prepare<{ id: string }>('SELECT id FROM installation').get()?.id ?? '';
    } catch (error) {
      database.close();
      throw database.errorOf(error);
    }
    this.#database = database;
    this.isFinal = isFinal;
  }

  async counters(): Promise<StoreCounters> {
    const { number } = this.#database.prepare<{ number: number }>('SELECT number FROM generation').get() ?? {
      number: 0,
    };
    const { position } = this.#database
      .prepare<{ position: number }>(
        `SELECT max(
            (SELECT id FROM recent_floor),
            (SELECT coalesce(max(position), 0) FROM session),
            (SELECT coalesce(max(position), 0) FROM removed_session),
            (SELECT coalesce(max(id), 0) FROM recent)
          ) AS position`,
      )
      .get() ?? { position: 0 };
    return { generation: number, position };
  }

  async sessions(): Promise<number> {
    const row = this.#database
      .prepare<{ count: number }>("SELECT count(*) AS count FROM session WHERE state <> 'importing'")
      .get();
    return row?.count ?? 0;
  }

  async *rows(table: CopiedTable, columns: readonly string[]): AsyncGenerator<CopiedRow> {
    for await (const row of sqliteRows(this.#database, table, columns))
      yield table === SESSION ? this.#sessionRow(row) : row;
  }

  async lastOf(session: number): Promise<number> {
    const recent = this.#recent.get(session)?.places.at(-1);
    if (recent) return recent.first + recent.count - 1;
    const row = this.#database
      .prepare<{ last: number }>(
        'SELECT first + count - 1 AS last FROM block WHERE session = ? ORDER BY first DESC LIMIT 1',
      )
      .get([session]);
    return row?.last ?? 0;
  }

  async checkAt(session: number, seq: number): Promise<number> {
    for await (const run of this.runs(session, seq)) return checkIn(run.first <= seq ? run : undefined, seq);
    return checkIn(undefined, seq);
  }

  async *runs(session: number, from: number): AsyncGenerator<Run> {
    const block = 'SELECT id, first, count, checksum FROM block WHERE session = ?';
    const around = this.#database.prepare<RunPlace>(`${block} AND first <= ? ORDER BY first DESC LIMIT 1`);
    const next = this.#database.prepare<RunPlace>(`${block} AND first > ? ORDER BY first LIMIT 1`);
    const found = around.get([session, from]);
    let place = found && found.first + found.count > from ? found : next.get([session, from]);
    while (place) {
      yield runOf(place, this.#blockBody(place.id));
      place = next.get([session, place.first]);
    }
    for (const recent of this.#recent.get(session)?.places ?? [])
      if (recent.first + recent.count > from) yield runOf(recent, this.#recentBody(recent.id));
  }

  /** Nobody else can open the file meanwhile. */
  async isUnchanged(): Promise<boolean> {
    return this.isFinal;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** What the hub would know of a session once it had read the recent lines. */
  #sessionRow(row: CopiedRow): CopiedRow {
    const recent = this.#recent.get(Number(row.number));
    if (!recent) return row;
    const { link } = recent;
    const known =
      row.position === undefined ? {} : { position: Math.max(Number(row.position), recent.position) };
    return {
      ...row,
      ...known,
      ...(link && row.link_epoch !== undefined ? { link_epoch: link.epoch, link_count: link.count } : {}),
    };
  }

  #blockBody(id: number): Uint8Array | undefined {
    return this.#read(() => new BlockBodies(this.#database).read(id));
  }

  #recentBody(id: number): Uint8Array | undefined {
    return this.#read(
      () =>
        this.#database.prepare<{ body: Uint8Array }>('SELECT body FROM recent WHERE id = ?').get([id])?.body,
    );
  }

  /** Nothing when it lies in broken pages. */
  #read(work: () => Uint8Array | undefined): Uint8Array | undefined {
    try {
      return work();
    } catch (error) {
      if (isCorruption(error)) return undefined;
      throw this.#database.errorOf(error);
    }
  }
}

/** A body that cannot be read leaves all entries damaged. */
function runOf({ first, count, checksum }: RunPlace, body: Uint8Array | undefined): Run {
  return new Run(first, count, body ?? new Uint8Array(), body ? checksum : 1);
}

function recentOf(database: Database): Map<number, RecentRuns> {
  const sessions = new Map<number, RecentRuns>();
  const rows = database
    .prepare<RecentRow>(
      `SELECT recent.id, session, first, count, checksum, recent.link_epoch, recent.link_count
        FROM recent JOIN session ON session.number = recent.session WHERE recent.id > settled_id ORDER BY recent.id`,
    )
    .all();
  for (const { session, link_epoch: epoch, link_count: received, ...place } of rows) {
    const known = sessions.get(session) ?? { places: [], position: 0, link: undefined };
    if (epoch !== null && received !== null) known.link = { epoch, count: received };
    if (place.count > 0) {
      known.places.push(place);
      known.position = place.id;
    }
    sessions.set(session, known);
  }
  return sessions;
}
