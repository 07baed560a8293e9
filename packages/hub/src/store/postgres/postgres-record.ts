import { type Cursor, MAX_WINDOW_ENTRIES, type ResetReason } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Appended } from '../record.ts';
import { blocksOf } from '../sql/cut-runs.ts';
import type { PackedAppend } from '../sql/packed-lines.ts';
import type { PackedResumption, PackedWindow } from '../sql/packed-window.ts';
import type { OwnedSession, RecordChanges } from '../sql/record-changes.ts';
import { Run, uuidHash } from '../sql/run.ts';
import { atOnce, type Steps } from '../sql/statement.ts';
import { checkIn, firstNotOlder, type Stretch, seqOfUuid, windowParts } from '../sql/window-parts.ts';
import { SessionLostError, SessionNotFoundError, StoreArgumentError } from '../store-errors.ts';
import { HeldSession } from './held-session.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { QUERIES, type RunRow } from './record-queries.ts';
import { insertRuns, makePartition, WEEK_MS } from './stored-runs.ts';

/** The record in its table. What a transaction adds is staged, and stored all at once at its end, or before somebody reads. */
export class PostgresRecord implements RecordChanges {
  readonly #generation: number;
  readonly #now: () => number;
  /** The sessions whose rows this transaction has locked. */
  readonly #held = new Map<string, HeldSession>();
  /** Updates of this transaction: of a session the last one, and every removal. */
  readonly #news = new Map<string, { kind: 'updated' | 'removed'; id: string }>();
  /** Weeks that have a partition. */
  readonly #weeks = new Set<number>();
  #hasTrimmed = true;

  /** `now` says in which week something comes. */
  constructor(generation: number, now: () => number = Date.now) {
    this.#generation = generation;
    this.#now = now;
  }

  // What commits do.

  /** A transaction begins: nothing of the one before counts. */
  begin(): void {
    this.#held.clear();
    this.#news.clear();
  }

  /** Lock the rows of sessions that commits are about, all at once. */
  async hold(connection: PostgresConnection, ids: readonly string[]): Promise<void> {
    if (ids.length < 2) return;
    const { rows } = await connection.query(QUERIES.holdAll, [ids]);
    for (const row of rows) this.#held.set(row.id, new HeldSession(row));
  }

  *session(id: string): Steps<HeldSession> {
    const known = this.#held.get(id);
    if (known) return known;
    const row = yield* QUERIES.hold.get([id]);
    if (!row) throw new SessionNotFoundError(id);
    const held = new HeldSession(row);
    this.#held.set(id, held);
    return held;
  }

  *append(append: PackedAppend): Steps<Appended> {
    const session = yield* this.session(append.session);
    const appended = session.append(append, this.#generation);
    if (appended.count > 0) this.noteUpdate(session.id);
    return appended;
  }

  *own({ id }: OwnedSession, generation: number): Steps<void> {
    const session = yield* this.session(id);
    const changed = yield* QUERIES.own.run([generation, session.number, generation]);
    if (changed === 0) throw new SessionLostError(id);
    session.generation = generation;
  }

  noteUpdate(id: string): number {
    this.#news.delete(id);
    this.#news.set(id, { kind: 'updated', id });
    return 0;
  }

  *remove(id: string): Steps<void> {
    const { number, weeks } = yield* this.session(id);
    this.#held.delete(id);
    if (weeks) yield* QUERIES.removeRuns.run([number, weeks.first, weeks.last]);
  }

  noteRemoved(id: string): Steps<void> {
    return atOnce(() => {
      this.#news.delete(id);
      this.#news.set(`${this.#news.size} removed ${id}`, { kind: 'removed', id });
    });
  }

  /** Store what was staged. */
  async write(connection: PostgresConnection): Promise<void> {
    const changed = [...this.#held.values()].filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return;
    const week = Math.floor(this.#now() / WEEK_MS);
    await this.#addRuns(connection, changed, week);
    const columns = [
      changed.map(({ number }) => number),
      changed.map(({ generation }) => generation),
      changed.map(({ last }) => last),
      changed.map(({ bytes }) => bytes),
      changed.map(({ position }) => position?.epoch ?? null),
      changed.map(({ position }) => position?.count ?? null),
      changed.map(({ weeks }) => weeks?.first ?? null),
      changed.map(({ weeks }) => weeks?.last ?? null),
    ];
    const { count } = await connection.query(QUERIES.save, columns);
    const [first] = changed;
    if (count < changed.length && first) throw new SessionLostError(first.id);
    for (const session of changed) {
      session.isChanged = false;
      session.bytes = 0;
    }
  }

  /** The last act of a transaction: give its updates their positions. Gives the last one, or undefined where there was none. */
  async end(connection: PostgresConnection, batch: number): Promise<number | undefined> {
    const news = [...this.#news.values()].map((one, index) => ({ ...one, at: index + 1 }));
    if (news.length === 0) {
      await connection.query(QUERIES.mark, [batch, this.#generation, batch]);
      return undefined;
    }
    const updated = news.filter(({ kind }) => kind === 'updated');
    const removed = news.filter(({ kind }) => kind === 'removed');
    const { rows } = await connection.query(QUERIES.end, [
      news.length,
      news.length,
      batch,
      this.#generation,
      batch,
      updated.map(({ id }) => id),
      updated.map(({ at }) => at),
      removed.map(({ id }) => id),
      removed.map(({ at }) => at),
    ]);
    return rows[0]?.last;
  }

  async #addRuns(
    connection: PostgresConnection,
    changed: readonly HeldSession[],
    week: number,
  ): Promise<void> {
    const runs: { session: number; run: Run }[] = [];
    for (const session of changed)
      for (const run of blocksOf(session.takeStaged())) {
        runs.push({ session: session.number, run });
        session.bytes += run.body.length;
        session.noteWeek(week);
      }
    if (runs.length === 0) return;
    if (!this.#weeks.has(week)) await makePartition(connection, week);
    this.#weeks.add(week);
    await insertRuns(connection, week, runs);
  }

  /** Forget which weeks have a partition: the transaction that made one has failed, or one was dropped. */
  forgetWeeks(): void {
    this.#weeks.clear();
  }

  // What readers ask.

  *tail(id: string, limit?: number): Steps<PackedWindow> {
    const session = yield* this.#look(id);
    return yield* this.#read(session, session.last, -1, limit);
  }

  *window(id: string, from: number, limit?: number): Steps<PackedWindow> {
    const start = checked('A window', from);
    return yield* this.#read(yield* this.#look(id), start, 1, limit);
  }

  *windowBefore(id: string, before: number, limit?: number): Steps<PackedWindow> {
    const session = yield* this.#look(id);
    return yield* this.#read(session, Math.min(checked('A window', before) - 1, session.last), -1, limit);
  }

  *resume(id: string, cursor: Cursor, limit?: number): Steps<PackedResumption> {
    const session = yield* this.#look(id);
    const reason = yield* this.#objection(session, cursor);
    if (reason) return { state: 'reset', reason, last: session.last };
    return { state: 'resumed', ...(yield* this.#read(session, cursor.seq + 1, 1, limit)) };
  }

  *locate(id: string, uuid: string): Steps<number | undefined> {
    const session = yield* this.#look(id);
    const hash = Buffer.alloc(4);
    hash.writeUInt32BE(uuidHash(uuid));
    for (let after = 0; ; ) {
      const row = yield* QUERIES.withUuid.get([...placeOf(session), after, hash]);
      if (!row) return undefined;
      const seq = seqOfUuid(runOf(row), uuid);
      if (seq !== undefined && seq > session.trimmed) return seq;
      after = row.first;
    }
  }

  *position(id: string): Steps<LinkPosition | undefined> {
    return (yield* this.#look(id)).position;
  }

  *olderThan(id: string, time: number): Steps<number> {
    const session = yield* this.#look(id);
    const row = yield* QUERIES.firstNewer.get([...placeOf(session), session.trimmed + 1, time]);
    if (!row) return session.last;
    const stretch = { first: row.first, last: row.first + row.count - 1, run: runOf(row) };
    return firstNotOlder(stretch, Math.max(row.first, session.trimmed + 1), time) - 1;
  }

  *trim(id: string, upTo: number): Steps<void> {
    const session = yield* this.session(id);
    const trimmed = Math.min(upTo, session.last);
    if (trimmed <= session.trimmed) return;
    yield* QUERIES.trim.run([trimmed, trimmed, session.number]);
    yield* QUERIES.countBytes.run([...placeOf(session), trimmed + 1, session.number]);
    yield* QUERIES.forgetSaid.run([session.number, trimmed]);
    this.#held.delete(id);
    this.noteUpdate(id);
    this.#hasTrimmed = true;
  }

  /** Whether something may be left to clean up; asked once for each time. */
  takeTrimmed(): boolean {
    const has = this.#hasTrimmed;
    this.#hasTrimmed = false;
    return has;
  }

  /**
   * What retention has taken away goes from the disk: a week of which nothing is left is dropped with its partition, at once. Whoever
   * reads meanwhile is not waited for.
   */
  async tidy(connection: PostgresConnection): Promise<void> {
    const now = Math.floor(this.#now() / WEEK_MS);
    const partitions = await connection.ask<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'run'::regclass`,
    );
    for (const { name } of partitions) {
      const week = Number(/(\d+)$/.exec(name)?.[1] ?? now);
      const live = `EXISTS (SELECT 1 FROM session WHERE number = one.session AND one.first + one.count - 1 > trimmed)`;
      const [some] = await connection.ask(`SELECT 1 FROM ${name} AS one WHERE ${live} LIMIT 1`);
      await connection.transaction(async () => {
        await connection.ask("SET LOCAL lock_timeout = '1s'");
        if (some || week >= now) await connection.ask(`DELETE FROM ${name} AS one WHERE NOT ${live}`);
        else await connection.ask(`DROP TABLE ${name}`);
        await connection.query(QUERIES.assertLeading, [this.#generation]);
      });
      this.#weeks.delete(week);
    }
  }

  /** A session as it is now, with all that this transaction has staged. */
  *#look(id: string): Steps<HeldSession> {
    const held = this.#held.get(id);
    if (held) return held;
    const row = yield* QUERIES.session.get([id]);
    if (!row) throw new SessionNotFoundError(id);
    return new HeldSession(row);
  }

  /** An entry with another check is not the one that the viewer has seen under that number. */
  *#objection(session: HeldSession, { seq, check }: Cursor): Steps<ResetReason | undefined> {
    if (checked('A cursor', seq + 1) - 1 > session.last) return 'ahead';
    // From the start of the record means from what is left of it.
    if (seq > 0 && seq <= session.trimmed) return 'trimmed';
    if (seq === 0) return undefined;
    const rows = yield* QUERIES.down.all([...placeOf(session), seq, seq, 1]);
    const run = rows[0] && runOf(rows[0]);
    return checkIn(run, seq) === check ? undefined : 'rewritten';
  }

  *#read(session: HeldSession, start: number, step: 1 | -1, limit = MAX_WINDOW_ENTRIES): Steps<PackedWindow> {
    const entries = Math.min(checked('A limit', limit), MAX_WINDOW_ENTRIES);
    const { last, trimmed } = session;
    const from = step === 1 ? Math.max(start, trimmed + 1) : start;
    const place = placeOf(session);
    const rows =
      step === 1
        ? yield* QUERIES.up.all([...place, ...place, from, from + entries, entries + 1])
        : yield* QUERIES.down.all([...place, from, from - entries + 1, entries]);
    const parts = windowParts(session, start, step, entries, (seq) => stretchAt(rows, seq, session));
    return { last, trimmed, parts };
  }
}

/** What is around a number; undefined where the window has enough. */
function stretchAt(rows: readonly RunRow[], seq: number, { last }: HeldSession): Stretch | undefined {
  const at = rows.findIndex(({ first, count }) => first + count - 1 >= seq);
  const row = rows[at];
  if (row && row.first <= seq)
    return row.body ? { first: row.first, last: row.first + row.count - 1, run: runOf(row) } : undefined;
  const before = at === -1 ? rows.at(-1) : rows[at - 1];
  return {
    first: before ? before.first + before.count : 1,
    last: (row?.first ?? last + 1) - 1,
    run: undefined,
  };
}

function runOf({ first, count, checksum, body }: RunRow): Run | undefined {
  return body ? new Run(first, count, body, checksum) : undefined;
}

/** Where the runs of a session are; nowhere when it has none. */
function placeOf({ number, weeks }: HeldSession): [number, number, number] {
  return [number, weeks?.first ?? 0, weeks?.last ?? -1];
}

function checked(what: string, number: number): number {
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new StoreArgumentError(`${what} cannot be at ${number}`);
}
