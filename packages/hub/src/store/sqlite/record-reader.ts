import type { WindowPart } from '../sql/packed-window.ts';
import { Run, uuidHash } from '../sql/run.ts';
import { checkIn, firstNotOlder, type Stretch, seqOfUuid, windowParts } from '../sql/window-parts.ts';
import { BlockBodies } from './block-bodies.ts';
import { type Database, isCorruption } from './database.ts';
import type { OpenSession } from './open-session.ts';

interface BlockPlace {
  id: number;
  first: number;
  count: number;
  checksum: number;
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
    return windowParts(session, start, step, limit, (seq) => this.#stretchAt(session, seq));
  }

  /** What a cursor on an entry carries. */
  checkOf(session: OpenSession, seq: number): number {
    const { run } = this.#stretchAt(session, seq);
    return checkIn(run, seq);
  }

  /** The number of the last entry that is older than a time, as are all before it that are there. */
  olderThan(session: OpenSession, time: number): number {
    let seq = session.trimmed + 1;
    while (seq <= session.last) {
      const stretch = this.#stretchAt(session, seq);
      seq = firstNotOlder(stretch, seq, time);
      if (seq <= stretch.last) break;
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
      const seq = seqOfUuid(this.#runOf(place), uuid);
      if (seq !== undefined) return seq;
      after = place.first;
    }
    for (const run of session.runs) {
      const seq = seqOfUuid(run, uuid);
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
