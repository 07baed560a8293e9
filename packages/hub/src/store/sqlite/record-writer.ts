import type { Appended } from '../record.ts';
import { BLOCK_BYTES, blocksOf, runsOf } from '../sql/cut-runs.ts';
import { newLinesOf, positionOf } from '../sql/new-lines.ts';
import type { PackedAppend } from '../sql/packed-lines.ts';
import { encodeAuthor } from '../sql/packed-window.ts';
import { Run } from '../sql/run.ts';
import { SessionNotFoundError } from '../store-errors.ts';
import { BlockBodies } from './block-bodies.ts';
import type { Database } from './database.ts';
import { OpenSession } from './open-session.ts';
import { OpenSessions } from './open-sessions.ts';

/** What all recent lines may take, in memory and to be read when the store opens; then the oldest become blocks. */
const RECENT_BYTES = 32 * 1024 * 1024;

/** A commit that finds too many recent lines settles this many times what it brings, and at least so many bytes. */
const SETTLE_FACTOR = 2;
const SETTLE_BYTES = 1024 * 1024;

/** What a row costs beside its body. */
const ROW_BYTES = 256;

interface LinkColumns {
  link_epoch: string | null;
  link_count: number | null;
}

interface SessionRow extends LinkColumns {
  number: number;
  generation: number;
  updated: number;
  trimmed: number;
}

interface RecentRow extends LinkColumns {
  id: number;
  session: string;
  first: number;
  count: number;
  checksum: number;
  body: Uint8Array;
}

/** Takes lines into the record: staged call by call, stored once a commit. */
export class RecordWriter {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #bodies: BlockBodies;
  readonly #generation: number;
  readonly #open = new OpenSessions();
  /** Those that the commit has something of. */
  readonly #staged = new Set<OpenSession>();
  /**
   * The last row of `recent`, or update of a session, that there ever was: numbers are not used again, so that old and new can
   * be told apart.
   */
  #lastId = 0;
  #recentBytes = 0;
  #before = { lastId: 0, recentBytes: 0 };

  constructor(database: Database, generation: number) {
    this.#queries = prepareQueries(database);
    this.#bodies = new BlockBodies(database);
    this.#generation = generation;
    this.#load();
  }

  /** The position of the last update. */
  get position(): number {
    return this.#lastId;
  }

  /** Sessions with recent lines that have updated after a position. */
  updatedAfter(position: number): { kind: 'updated'; position: number; session: string; last: number }[] {
    return [...this.#open].flatMap(({ id, updated, last }) =>
      updated > position ? [{ kind: 'updated', position: updated, session: id, last }] : [],
    );
  }

  /** The position of an update that is no line: of a session's facts, or its end. */
  noteUpdate(id: string): number {
    this.#lastId += 1;
    const open = this.#open.get(id);
    if (open) {
      this.#open.touch(open);
      open.updated = this.#lastId;
    }
    return this.#lastId;
  }

  /** Raises `STORE_SESSION_NOT_FOUND`. */
  session(id: string): OpenSession {
    const known = this.#open.get(id);
    if (known) return known;
    const row = this.#queries.session.get([id]);
    if (!row) throw new SessionNotFoundError(id);
    // Where all blocks were taken away, the next entry follows them all the same.
    const settled = Math.max(this.#queries.settled.get([row.number])?.last ?? 0, row.trimmed);
    return new OpenSession({ id, ...row, settled, position: positionOf(row) });
  }

  /** Its session is known to be there. */
  append(append: PackedAppend): Appended {
    return this.#stage(append);
  }

  /** The session belongs to the owner of this generation from now on. */
  own(session: OpenSession, generation: number): void {
    this.#open.touch(session);
    session.generation = generation;
    this.#queries.own.run([generation, session.number]);
  }

  /** Store what was staged; the last act of a commit. */
  write(): void {
    const before = this.#recentBytes;
    for (const session of this.#staged) {
      if (session.bytes >= BLOCK_BYTES) {
        this.noteUpdate(session.id);
        this.#settle(session);
      } else this.#writeRecent(session);
    }
    this.#staged.clear();
    if (this.#recentBytes > RECENT_BYTES) this.#settleOldest(this.#recentBytes - before);
  }

  /** Remove all lines of a session. */
  remove(id: string): void {
    const session = this.session(id);
    this.#open.touch(session);
    this.#queries.removeRecent.run([session.number]);
    this.#queries.removeBlocks.run([session.number]);
    this.#staged.delete(session);
    this.#open.remove(session);
  }

  /** Take the entries up to this one away. */
  trim(id: string, upTo: number): void {
    const session = this.session(id);
    const trimmed = Math.min(upTo, session.last);
    if (trimmed <= session.trimmed) return;
    this.#open.touch(session);
    session.trimmed = trimmed;
    this.#queries.trim.run([trimmed, this.noteUpdate(id), session.number]);
    this.#queries.removeTrimmed.run([session.number, trimmed]);
  }

  /** A commit begins. */
  begin(): void {
    this.#open.begin();
    this.#before = { lastId: this.#lastId, recentBytes: this.#recentBytes };
  }

  /** The commit has failed: go back to what was when it began. */
  undo(): void {
    this.#staged.clear();
    this.#lastId = this.#before.lastId;
    this.#recentBytes = this.#before.recentBytes;
    this.#open.undo();
  }

  /** Take up what is stored. */
  #load(): void {
    const { id, bytes } = this.#queries.recentSize.get([ROW_BYTES]) ?? { id: 0, bytes: 0 };
    this.#lastId = id;
    this.#recentBytes = bytes;
    for (let row = this.#queries.nextRecent.get([0]); row; row = this.#queries.nextRecent.get([row.id])) {
      const session = this.session(row.session);
      session.restore(row.id, new Run(row.first, row.count, row.body, row.checksum), positionOf(row));
      this.#open.add(session);
    }
  }

  #stage(append: PackedAppend): Appended {
    const { session: id, author } = append;
    const session = this.session(id);
    const { lines, position } = newLinesOf(append, session.position);
    const first = session.last + 1;
    const runs = runsOf(first, lines, encodeAuthor(author), this.#generation);
    this.#open.touch(session);
    session.stage(runs, position);
    if (lines.length > 0 || position) {
      this.#open.add(session);
      this.#staged.add(session);
    }
    return { first, count: lines.length, checks: runs.flatMap((run) => run.checks()) };
  }

  #writeRecent(session: OpenSession): void {
    this.#lastId += 1;
    const { first, count, checksum, body } = session.takeStaged(this.#lastId);
    const { epoch, count: received } = session.position ?? { epoch: null, count: null };
    this.#recentBytes += body.length + ROW_BYTES;
    const { number } = session;
    this.#queries.addRecent.run([this.#lastId, number, first, count, checksum, epoch, received, body]);
  }

  #settle(session: OpenSession): void {
    this.#open.touch(session);
    for (const block of blocksOf(session.settle())) {
      const { first, count, checksum, body } = block;
      const start = BlockBodies.start(body);
      this.#queries.addBlock.run([session.number, first, count, checksum, block.uuidHashes(), start]);
      this.#bodies.addRest(body);
    }
    const { epoch, count } = session.position ?? { epoch: null, count: null };
    this.#queries.noteSettled.run([epoch, count, this.#lastId, session.updated, session.number]);
    this.#open.remove(session);
  }

  /** A little with every commit: all at once would make everybody wait. */
  #settleOldest(brought: number): void {
    let room = Math.max(SETTLE_BYTES, brought * SETTLE_FACTOR);
    for (const session of this.#open) {
      if (room <= 0) break;
      room -= session.bytes + ROW_BYTES;
      this.#settle(session);
    }
    const [oldest] = this.#open;
    const last = oldest ? oldest.oldestRow - 1 : this.#lastId;
    this.#recentBytes -= this.#queries.bytesUpTo.get([ROW_BYTES, last])?.bytes ?? 0;
    this.#queries.removeUpTo.run([last]);
    this.#queries.noteFloor.run([last]);
  }
}

function prepareQueries(database: Database) {
  return {
    session: database.prepare<SessionRow>(
      'SELECT number, generation, link_epoch, link_count, position AS updated, trimmed FROM session WHERE id = ?',
    ),
    own: database.prepare('UPDATE session SET generation = ? WHERE number = ?'),
    settled: database.prepare<{ last: number }>(
      'SELECT first + count - 1 AS last FROM block WHERE session = ? ORDER BY first DESC LIMIT 1',
    ),
    recentSize: database.prepare<{ id: number; bytes: number }>(
      `SELECT max(
          (SELECT id FROM recent_floor),
          (SELECT coalesce(max(position), 0) FROM session),
          (SELECT coalesce(max(position), 0) FROM removed_session),
          coalesce(max(id), 0)
        ) AS id,
        coalesce(sum(length(body) + ?), 0) AS bytes FROM recent`,
    ),
    nextRecent: database.prepare<RecentRow>(
      `SELECT recent.id, session.id AS session, first, count, checksum, recent.link_epoch, recent.link_count, body
        FROM recent JOIN session ON session.number = recent.session
        WHERE recent.id > ? AND recent.id > settled_id ORDER BY recent.id LIMIT 1`,
    ),
    addRecent: database.prepare('INSERT INTO recent VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    addBlock: database.prepare(
      'INSERT INTO block (session, first, count, checksum, uuids, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    noteSettled: database.prepare(
      'UPDATE session SET link_epoch = ?, link_count = ?, settled_id = ?, position = ? WHERE number = ?',
    ),
    bytesUpTo: database.prepare<{ bytes: number }>(
      'SELECT coalesce(sum(length(body) + ?), 0) AS bytes FROM recent WHERE id <= ?',
    ),
    removeUpTo: database.prepare('DELETE FROM recent WHERE id <= ?'),
    noteFloor: database.prepare('UPDATE recent_floor SET id = ?'),
    removeRecent: database.prepare('DELETE FROM recent WHERE session = ?'),
    trim: database.prepare('UPDATE session SET trimmed = ?, position = ? WHERE number = ?'),
    removeTrimmed: database.prepare('DELETE FROM block WHERE session = ? AND first + count - 1 <= ?'),
    removeBlocks: database.prepare('DELETE FROM block WHERE session = ?'),
  };
}
