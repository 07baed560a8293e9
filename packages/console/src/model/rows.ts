import type { Item, ItemGroup } from './item.ts';
import { type RunItem, withRuns } from './runs.ts';

/** What is drawn as one row. */
export type Row = Item | RunItem;

/** The rows of a transcript. A run of calls that has not changed is the same object as before: it is not drawn again. */
export class RowList {
  #groups: readonly ItemGroup[] = [];
  #rows: readonly Row[] = [];

  of(groups: readonly ItemGroup[]): readonly Row[] {
    if (groups === this.#groups) return this.#rows;
    const runs = new Map(this.#rows.flatMap((row) => (row.kind === 'run' ? [[row.key, row] as const] : [])));
    this.#groups = groups;
    this.#rows = withRuns(groups.flatMap(({ items }) => items)).map((row) => {
      const before = runs.get(row.key);
      return row.kind === 'run' && before && isSame(before, row) ? before : row;
    });
    return this.#rows;
  }
}

/** The entry of the record that a row begins with, where that is known. */
export function seqOf(row: Row): number | undefined {
  if (row.kind === 'run') return row.calls[0]?.seq;
  if ('seq' in row) return row.seq;
  const [, seq] = /^entry-(\d+)/.exec(row.key) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

/** The place of the row that an entry is in, or of the one before it: not every entry has a row of its own. */
export function rowAt(rows: readonly Row[], seq: number): number | undefined {
  const at = rows.findLastIndex((row) => (seqOf(row) ?? Number.POSITIVE_INFINITY) <= seq);
  return at < 0 ? undefined : at;
}

function isSame({ calls }: RunItem, { calls: others }: RunItem): boolean {
  return calls.length === others.length && calls.every((call, at) => call === others[at]);
}
