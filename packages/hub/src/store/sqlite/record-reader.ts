import { LineHead } from '@signalbox/protocol';
import { DAMAGED_CHECK, MAX_WINDOW_BYTES } from '../record.ts';
import { BlockBodies } from './block-bodies.ts';
import { type Database, isCorruption } from './database.ts';
import type { OpenSession } from './open-session.ts';
import type { WindowPart } from './packed-window.ts';
import { Run, uuidHash } from './run.ts';

interface BlockPlace {
  id: number;
  first: number;
  count: number;
  checksum: number;
}

/** Entries that follow each other: of a run, or lost. */
interface Stretch {
  first: number;
  last: number;
  run: Run | undefined;
}

/** Finds entries of a record, in blocks and in what is not in a block yet. */
export class RecordReader {
  readonly #database: Database;
  #queries: ReturnType<typeof prepareQueries>;
  #bodies: BlockBodies;
  /** Blocks that lie in broken pages. */
  readonly #broken = new Set<number>();
  #brokenBefore = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#queries = prepareQueries(database);
    this.#bodies = new BlockBodies(database);
  }

  /** Whether it came upon broken blocks since it was asked last. It knows them now: what failed can be read again. */
  foundBroken(): boolean {
    const isMore = this.#broken.size > this.#brokenBefore;
    this.#brokenBefore = this.#broken.size;
    return isMore;
  }

  /** At most `limit` entries, from number `start` upwards, or downwards with a step of -1; in their order. */
  read(session: OpenSession, start: number, step: 1 | -1, limit: number): WindowPart[] {
    const parts: WindowPart[] = [];
    let left = limit;
    let bytes = MAX_WINDOW_BYTES;
    let seq = step === 1 ? Math.max(start, session.trimmed + 1) : start;
    while (left > 0 && bytes > 0 && seq > session.trimmed && seq <= session.last) {
      const { first, last, run } = this.#stretchAt(session, seq);
      const begin = seq;
      for (; left > 0 && bytes > 0 && seq >= first && seq <= last && seq > session.trimmed; seq += step) {
        left -= 1;
        bytes -= run?.size(seq - first) ?? 0;
      }
      const end = seq - step;
      parts.push(partOf(run, Math.min(begin, end), Math.max(begin, end)));
    }
    return step === 1 ? parts : parts.toReversed();
  }

  /** What a cursor on an entry carries. */
  checkOf(session: OpenSession, seq: number): number {
    const { run } = this.#stretchAt(session, seq);
    return run && !run.damaged().includes(seq) ? run.place(seq - run.first).check : DAMAGED_CHECK;
  }

  /** The number of the last entry that is older than a time, as are all before it that are there. */
  olderThan(session: OpenSession, time: number): number {
    let seq = session.trimmed + 1;
    while (seq <= session.last) {
      const { first, last, run } = this.#stretchAt(session, seq);
      const damaged = new Set(run?.damaged());
      // Nobody knows when it was: it goes with what is around it.
      const isOld = (at: number): boolean => !run || damaged.has(at) || run.place(at - first).time < time;
      while (seq <= last && isOld(seq)) seq += 1;
      if (seq <= last) break;
    }
    return seq - 1;
  }

  /** The number of the first line with this uuid. */
  locate(session: OpenSession, uuid: string): number | undefined {
    const seq = this.#locate(session, uuid);
    return seq === undefined || seq > session.trimmed ? seq : undefined;
  }

  #locate(session: OpenSession, uuid: string): number | undefined {
    const hash = new Uint8Array(4);
    new DataView(hash.buffer).setUint32(0, uuidHash(uuid));
    let after = 0;
    for (;;) {
      const place = this.#queries.blockWith.get([session.number, after, hash]);
      if (!place) break;
      const seq = seqOf(this.#runOf(place), uuid);
      if (seq !== undefined) return seq;
      after = place.first;
    }
    for (const run of session.runs) {
      const seq = seqOf(run, uuid);
      if (seq !== undefined) return seq;
    }
    return undefined;
  }

  /** The entries around a number that the session has got to. */
  #stretchAt(session: OpenSession, seq: number): Stretch {
    return seq <= session.settled ? this.#settledAt(session, seq) : recentAt(session, seq);
  }

  #settledAt({ number, settled }: OpenSession, seq: number): Stretch {
    const place = this.#queries.blockAt.get([number, seq]);
    const last = place ? place.first + place.count - 1 : 0;
    if (place && last >= seq) return { first: place.first, last, run: this.#runOf(place) };
    const next = this.#queries.blockAfter.get([number, seq])?.first ?? settled + 1;
    return { first: last + 1, last: next - 1, run: undefined };
  }

  /** Nothing when the pages that it lies in are broken: the damage must not spread to other blocks. */
  #runOf({ id, first, count, checksum }: BlockPlace): Run | undefined {
    if (this.#broken.has(id)) return undefined;
    try {
      const body = this.#bodies.read(id);
      return body && new Run(first, count, body, checksum);
    } catch (error) {
      // The commit that this is part of cannot succeed any more, nor can the statement be used again.
      if (isCorruption(error)) this.#broken.add(id);
      this.#queries = prepareQueries(this.#database);
      this.#bodies = new BlockBodies(this.#database);
      throw error;
    }
  }
}

function recentAt({ runs, settled, last }: OpenSession, seq: number): Stretch {
  const at = runs.findIndex((run) => run.last >= seq);
  const run = runs[at];
  if (run && run.first <= seq) return { first: run.first, last: run.last, run: copyOf(run) };
  return { first: (runs[at - 1]?.last ?? settled) + 1, last: (run?.first ?? last + 1) - 1, run: undefined };
}

/** What is read goes to another thread; what is written to stays here. */
function copyOf(run: Run): Run {
  return new Run(run.first, run.count, new Uint8Array(run.body), run.isIntact ? undefined : run.checksum);
}

function partOf(run: Run | undefined, from: number, to: number): WindowPart {
  if (!run) return { from, to, first: from, count: 0, body: null, damaged: [] };
  const damaged = run.damaged();
  const { first, count, body } = damaged.length === 0 ? run.slice(from, to) : run;
  return { from, to, first, count, body, damaged };
}

/** The number of the first sound line of a run with this uuid. */
function seqOf(run: Run | undefined, uuid: string): number | undefined {
  if (!run) return undefined;
  const hash = uuidHash(uuid);
  const damaged = new Set(run.damaged());
  for (let index = 0; index < run.count; index += 1) {
    const seq = run.first + index;
    if (damaged.has(seq) || run.uuidHash(index) !== hash) continue;
    if (new LineHead(run.line(index)).uuid === uuid) return seq;
  }
  return undefined;
}

function prepareQueries(database: Database) {
  const block = 'SELECT id, first, count, checksum FROM block WHERE session = ?';
  return {
    blockAt: database.prepare<BlockPlace>(`${block} AND first <= ? ORDER BY first DESC LIMIT 1`),
    blockAfter: database.prepare<BlockPlace>(`${block} AND first > ? ORDER BY first LIMIT 1`),
    blockWith: database.prepare<BlockPlace>(
      `${block} AND first > ? AND instr(uuids, ?) > 0 ORDER BY first LIMIT 1`,
    ),
  };
}
