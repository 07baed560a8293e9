import type { Page, PageRequest } from '@signalbox/protocol/hub';
import type { LoopState } from '@signalbox/protocol/loop';
import type { LoopAndIteration, Loops, StoredIteration, StoredLoop } from '../../loop.ts';
import { LoopExistsError, RecordNotFoundError } from '../../store-errors.ts';
import { itemsWithin, pageBounds } from '../paging.ts';
import type { InSteps } from '../part.ts';
import { type Dialect, Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

interface LoopRow {
  number: number;
  id: string;
  facts: string;
  iteration: string | null;
}

/** Loops and their iterations in their tables. */
export class SqlLoops implements InSteps<Loops> {
  *create(loop: StoredLoop): Steps<void> {
    const { id, state } = loop;
    if (yield* QUERIES.get.get([id])) throw new LoopExistsError(id);
    yield* QUERIES.add.run([id, state, JSON.stringify(loop)]);
  }

  *save(loop: StoredLoop, iteration?: StoredIteration): Steps<void> {
    const { id, state } = loop;
    if (!(yield* QUERIES.get.get([id]))) throw new RecordNotFoundError(`loop ${id}`);
    yield* QUERIES.update.run([state, JSON.stringify(loop), id]);
    if (iteration) yield* QUERIES.keep.run([id, iteration.number, JSON.stringify(iteration)]);
  }

  *get(id: string): Steps<LoopAndIteration | undefined> {
    const row = yield* QUERIES.get.get([id]);
    return row && loopOf(row);
  }

  *list({
    states,
    ...request
  }: PageRequest & { states?: readonly LoopState[] } = {}): Steps<Page<LoopAndIteration>> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const wanted = states === undefined ? null : JSON.stringify(states);
    const { last, next } = pageEnd(yield* QUERIES.sizes.all([after, wanted, wanted, limit + 1]), limit);
    const items = (yield* QUERIES.list.all([after, last, wanted, wanted])).map(readableLoop);
    return { items: items.filter((item) => item !== undefined), ...next };
  }

  *iterations(id: string, request: PageRequest = {}): Steps<Page<StoredIteration>> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const { last, next } = pageEnd(yield* QUERIES.iterationSizes.all([id, after, limit + 1]), limit);
    const items = (yield* QUERIES.iterations.all([id, after, last])).map(
      ({ number, facts }): StoredIteration => storedJson(facts, `iteration ${number} of loop ${id}`),
    );
    return { items, ...next };
  }

  *remove(id: string): Steps<void> {
    yield* QUERIES.remove.run([id]);
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

const QUERIES = queries();

function queries() {
  const newestOf = 'FROM loop_iteration WHERE loop = loop.id ORDER BY loop_iteration.number DESC LIMIT 1';
  const newest = `SELECT facts ${newestOf}`;
  const newestSize = `SELECT octet_length(facts) ${newestOf}`;
  const inState = (sql: Dialect): string => `(CAST(? AS TEXT) IS NULL OR ${sql.isOneOf('state')})`;
  const columns = `SELECT number, id, facts, (${newest}) AS iteration FROM loop`;
  return {
    add: new Statement('INSERT INTO loop (id, state, facts) VALUES (?, ?, ?)'),
    update: new Statement('UPDATE loop SET state = ?, facts = ? WHERE id = ?'),
    keep: new Statement(
      `INSERT INTO loop_iteration (loop, number, facts) VALUES (?, ?, ?)
        ON CONFLICT (loop, number) DO UPDATE SET facts = excluded.facts`,
    ),
    get: new Statement<LoopRow>(`${columns} WHERE id = ?`),
    list: new Statement<LoopRow>(
      (sql) => `${columns} WHERE number < ? AND number >= ? AND ${inState(sql)} ORDER BY number DESC`,
    ),
    sizes: new Statement<SizeRow>(
      (sql) => `SELECT number, octet_length(facts) + coalesce((${newestSize}), 0) AS bytes FROM loop
        WHERE number < ? AND ${inState(sql)} ORDER BY number DESC LIMIT ?`,
    ),
    iterations: new Statement<{ number: number; facts: string }>(
      `SELECT number, facts FROM loop_iteration WHERE loop = ? AND number < ? AND number >= ? ORDER BY number DESC`,
    ),
    iterationSizes: new Statement<SizeRow>(
      `SELECT number, octet_length(facts) AS bytes FROM loop_iteration
        WHERE loop = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    ),
    remove: new Statement('DELETE FROM loop WHERE id = ?'),
  };
}
