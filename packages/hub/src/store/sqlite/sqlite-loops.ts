import type { Page, PageRequest } from '@signalbox/protocol/hub';
import type { LoopState } from '@signalbox/protocol/loop';
import type { LoopAndIteration, Loops, StoredIteration, StoredLoop } from '../loop.ts';
import { LoopExistsError, RecordNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import { itemsWithin, pageBounds } from './paging.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

interface LoopRow {
  number: number;
  id: string;
  facts: string;
  iteration: string | null;
}

/** Loops and their iterations in their tables. */
export class SqliteLoops implements Immediate<Loops> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  create(loop: StoredLoop): void {
    const { id, state } = loop;
    if (this.#queries.get.get([id])) throw new LoopExistsError(id);
    this.#queries.add.run([id, state, JSON.stringify(loop)]);
  }

  save(loop: StoredLoop, iteration?: StoredIteration): void {
    const { id, state } = loop;
    if (!this.#queries.get.get([id])) throw new RecordNotFoundError(`loop ${id}`);
    this.#queries.update.run([state, JSON.stringify(loop), id]);
    if (iteration) this.#queries.keep.run([id, iteration.number, JSON.stringify(iteration)]);
  }

  get(id: string): LoopAndIteration | undefined {
    const row = this.#queries.get.get([id]);
    return row && loopOf(row);
  }

  list({ states, ...request }: PageRequest & { states?: readonly LoopState[] } = {}): Page<LoopAndIteration> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const wanted = states === undefined ? null : JSON.stringify(states);
    const { last, next } = pageEnd(this.#queries.sizes.all([after, wanted, wanted, limit + 1]), limit);
    const items = this.#queries.list.all([after, last, wanted, wanted]).map(readableLoop);
    return { items: items.filter((item) => item !== undefined), ...next };
  }

  iterations(id: string, request: PageRequest = {}): Page<StoredIteration> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const { last, next } = pageEnd(this.#queries.iterationSizes.all([id, after, limit + 1]), limit);
    const items = this.#queries.iterations
      .all([id, after, last])
      .map(({ number, facts }): StoredIteration => storedJson(facts, `iteration ${number} of loop ${id}`));
    return { items, ...next };
  }

  remove(id: string): void {
    this.#queries.remove.run([id]);
  }
}

interface SizeRow {
  number: number;
  bytes: number;
}

/** Where a page ends, and how the next one is asked for. A prompt may be long, and a page has up to hundreds of them. */
function pageEnd(sizes: readonly SizeRow[], limit: number): { last: number; next: { next?: string } } {
  const count = itemsWithin(sizes, limit);
  const last = sizes[count - 1]?.number ?? Number.MAX_SAFE_INTEGER;
  return { last, next: sizes.length > count ? { next: String(last) } : {} };
}

function loopOf({ id, facts, iteration }: LoopRow): LoopAndIteration {
  return {
    loop: storedJson(facts, `loop ${id}`),
    iteration: iteration === null ? null : storedJson(iteration, `an iteration of loop ${id}`),
  };
}

/** One that cannot be read must not keep the others from going on. */
function readableLoop(row: LoopRow): LoopAndIteration | undefined {
  try {
    return loopOf(row);
  } catch {
    return undefined;
  }
}

function prepareQueries(database: Database) {
  const newestOf = 'FROM loop_iteration WHERE loop = loop.id ORDER BY loop_iteration.number DESC LIMIT 1';
  const newest = `SELECT facts ${newestOf}`;
  const newestSize = `SELECT octet_length(facts) ${newestOf}`;
  const inState = '(? IS NULL OR state IN (SELECT value FROM json_each(?)))';
  const columns = `SELECT number, id, facts, (${newest}) AS iteration FROM loop`;
  return {
    add: database.prepare('INSERT INTO loop (id, state, facts) VALUES (?, ?, ?)'),
    update: database.prepare('UPDATE loop SET state = ?, facts = ? WHERE id = ?'),
    keep: database.prepare('INSERT OR REPLACE INTO loop_iteration (loop, number, facts) VALUES (?, ?, ?)'),
    get: database.prepare<LoopRow>(`${columns} WHERE id = ?`),
    list: database.prepare<LoopRow>(
      `${columns} WHERE number < ? AND number >= ? AND ${inState} ORDER BY number DESC`,
    ),
    sizes: database.prepare<SizeRow>(
      `SELECT number, octet_length(facts) + coalesce((${newestSize}), 0) AS bytes FROM loop
        WHERE number < ? AND ${inState} ORDER BY number DESC LIMIT ?`,
    ),
    iterations: database.prepare<{ number: number; facts: string }>(
      `SELECT number, facts FROM loop_iteration WHERE loop = ? AND number < ? AND number >= ? ORDER BY number DESC`,
    ),
    iterationSizes: database.prepare<SizeRow>(
      `SELECT number, octet_length(facts) AS bytes FROM loop_iteration
        WHERE loop = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    ),
    remove: database.prepare('DELETE FROM loop WHERE id = ?'),
  };
}
