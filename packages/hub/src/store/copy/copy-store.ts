import { StoreCopyDiffersError } from '../store-errors.ts';
import { SESSION, TABLES } from './copied-tables.ts';
import { type CopiedRecords, RecordsCopy } from './copy-records.ts';
import type { CopySource, CopyTarget } from './copy-sides.ts';
import { copyTable, firstDifference } from './copy-table.ts';

/** What a copy is doing. */
export type CopyProgress =
  | ({ step: 'records'; of: number } & CopiedRecords)
  | { step: 'tables'; table: string }
  | { step: 'check' };

/** What a pass has copied, and whether the target can be used. */
export interface CopyReport extends CopiedRecords {
  /** Rows of all other tables. */
  rows: number;
  isFinished: boolean;
}

/**
 * Make the target what the source is. It may be called again and again: each pass copies what has changed since. A pass over a
 * source that nobody can change meanwhile compares all once more and finishes the copy. Raises `STORE_COPY_DIFFERS`.
 */
export async function copyStore(
  sides: { source: CopySource; target: CopyTarget },
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<CopyReport> {
  const { source, target } = sides;
  const of = await source.sessions();
  const copied = await new RecordsCopy(sides, (records) =>
    onProgress({ step: 'records', of, ...records }),
  ).run();
  let rows = 0;
  for (const table of TABLES) {
    onProgress({ step: 'tables', table: table.name });
    rows += await copyTable(table, sides);
  }
  if (source.isFinal) {
    onProgress({ step: 'check' });
    await target.transaction(() => assertSame(sides));
  }
  const isFinished = await source.isUnchanged();
  if (isFinished) await target.finish(await source.counters());
  return { ...copied, rows, isFinished };
}

/** Compare every row of both sides, and how many entries each session has. */
async function assertSame(sides: { source: CopySource; target: CopyTarget }): Promise<void> {
  for (const table of [SESSION, ...TABLES])
    if (await firstDifference(table, sides)) throw new StoreCopyDiffersError(`table ${table.name}`);
  const trimmed = new Map<number, number>();
  for await (const row of sides.source.rows(SESSION, ['number', 'trimmed']))
    trimmed.set(Number(row.number), Number(row.trimmed));
  for await (const { session, last, entries } of sides.target.extents()) {
    const from = trimmed.get(session) ?? 0;
    const end = Math.max(await sides.source.lastOf(session), from);
    if (Math.max(last, from) !== end || entries !== end - from)
      throw new StoreCopyDiffersError(`session ${session}`);
  }
}
