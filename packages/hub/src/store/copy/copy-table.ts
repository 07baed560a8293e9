import { type CopiedRow, type CopiedTable, compareKeys, valuesOf } from './copied-tables.ts';
import type { CopySource, CopyTarget } from './copy-sides.ts';

/** Rows that are written at once, in number and in bytes. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Rows of the same key on both sides; one of them is missing where only one side has the key. */
export interface RowPair {
  source: CopiedRow | undefined;
  target: CopiedRow | undefined;
}

/** Goes through both sides in the order of the key. */
export async function* pairsOf(
  table: CopiedTable,
  columns: readonly string[],
  { source, target }: { source: CopySource; target: CopyTarget },
): AsyncGenerator<RowPair> {
  const [left, right] = [source, target].map((side) => side.rows(table, columns)[Symbol.asyncIterator]());
  if (!left || !right) return;
  try {
    let [one, other] = [await left.next(), await right.next()];
    while (!one.done || !other.done) {
      const order = one.done ? 1 : other.done ? -1 : compareKeys(table, one.value, other.value);
      yield {
        source: order <= 0 && !one.done ? one.value : undefined,
        target: order >= 0 && !other.done ? other.value : undefined,
      };
      if (order <= 0) one = await left.next();
      if (order >= 0) other = await right.next();
    }
  } finally {
    await left.return?.();
    await right.return?.();
  }
}

export function isSameRow(columns: readonly string[], { source, target }: RowPair): boolean {
  if (!source || !target) return false;
  const theirs = valuesOf(target, columns);
  return valuesOf(source, columns).every((value, index) => value === theirs[index]);
}

/** Remove what the source has no more, or has another row for under the same key. */
export async function removeGone(
  table: CopiedTable,
  sides: { source: CopySource; target: CopyTarget },
): Promise<void> {
  const columns = [...new Set([...table.key, ...table.identity])];
  const batch = new RowBatch((rows) => sides.target.remove(table, rows));
  for await (const pair of pairsOf(table, columns, sides))
    if (pair.target && !isSameRow(columns, pair)) await batch.add(pair.target);
  await batch.flush();
}

/** Make a table of the target what it is in the source. Gives the number of rows that the source has. */
export function copyTable(
  table: CopiedTable,
  sides: { source: CopySource; target: CopyTarget },
): Promise<number> {
  return sides.target.transaction(async () => {
    await removeGone(table, sides);
    const columns = Object.keys(table.columns);
    const batch = new RowBatch((rows) => sides.target.put(table, rows));
    let count = 0;
    for await (const pair of pairsOf(table, columns, sides)) {
      count += 1;
      if (pair.source && !isSameRow(columns, pair)) await batch.add(pair.source);
    }
    await batch.flush();
    return count;
  });
}

/** The first row in which two sides differ. */
export async function firstDifference(
  table: CopiedTable,
  sides: { source: CopySource; target: CopyTarget },
): Promise<RowPair | undefined> {
  const columns = Object.keys(table.columns);
  for await (const pair of pairsOf(table, columns, sides)) if (!isSameRow(columns, pair)) return pair;
  return undefined;
}

/** Rows that wait to be written. */
class RowBatch {
  readonly #write: (rows: readonly CopiedRow[]) => Promise<void>;
  #rows: CopiedRow[] = [];
  #bytes = 0;

  constructor(write: (rows: readonly CopiedRow[]) => Promise<void>) {
    this.#write = write;
  }

  async add(row: CopiedRow): Promise<void> {
    this.#rows.push(row);
    for (const value of Object.values(row)) this.#bytes += typeof value === 'string' ? value.length : 8;
    if (this.#rows.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    if (rows.length > 0) await this.#write(rows);
  }
}
