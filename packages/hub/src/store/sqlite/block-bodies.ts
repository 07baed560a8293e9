import type { Database } from './database.ts';

/** The driver copies what it is given several times: it is given no more than this at once. */
export const PART_BYTES = 1024 * 1024;

/** The bodies of blocks: the start in the block itself, the rest in parts. */
export class BlockBodies {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  /** What the block itself has of a body. */
  static start(body: Uint8Array): Uint8Array {
    return body.subarray(0, PART_BYTES);
  }

  /** Store what the block that was added last has not got of its body. */
  addRest(body: Uint8Array): void {
    if (body.length <= PART_BYTES) return;
    const block = this.#queries.last.get()?.id ?? 0;
    for (let part = 1; part * PART_BYTES < body.length; part += 1)
      this.#queries.add.run([block, part, body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)]);
  }

  /** Undefined when there is no such block. A part that is missing leaves the body damaged. */
  read(block: number): Uint8Array | undefined {
    const start = this.#queries.start.get([block])?.body;
    if (!start || start.length < PART_BYTES) return start;
    const rest = this.#queries.restBytes.get([block])?.bytes ?? 0;
    if (rest === 0) return start;
    const body = Buffer.allocUnsafeSlow(start.length + rest);
    body.set(start);
    let end = start.length;
    for (let part = 1; end < body.length; part += 1) {
      const next = this.#queries.part.get([block, part])?.body;
      if (!next) return body.subarray(0, end);
      body.set(next, end);
      end += next.length;
    }
    return body;
  }
}

function prepareQueries(database: Database) {
  return {
    last: database.prepare<{ id: number }>('SELECT last_insert_rowid() AS id'),
    add: database.prepare('INSERT INTO block_part VALUES (?, ?, ?)'),
    start: database.prepare<{ body: Uint8Array }>('SELECT body FROM block WHERE id = ?'),
    restBytes: database.prepare<{ bytes: number }>(
      'SELECT coalesce(sum(length(body)), 0) AS bytes FROM block_part WHERE block = ?',
    ),
    part: database.prepare<{ body: Uint8Array }>('SELECT body FROM block_part WHERE block = ? AND part = ?'),
  };
}
