import { textAt } from '@signalbox/protocol';
import { t } from '../words/t.ts';
import type { CallItem, Item } from './item.ts';

/** Calls that only look at something, one after the other. */
export interface RunItem {
  kind: 'run';
  key: string;
  calls: readonly CallItem[];
}

/** What looks at one file, and what looks for files. */
const READS = new Set(['Read', 'NotebookRead']);
const SEARCHES = new Set(['Grep', 'Glob', 'LS']);

/** How many make a run. */
const MIN_CALLS = 2;

/** The rows, with calls that only look at something as one, and attempts as the last: what failed or is asked about stands by itself. */
export function withRuns(items: readonly Item[]): readonly (Item | RunItem)[] {
  const rows: (Item | RunItem)[] = [];
  let calls: CallItem[] = [];
  const close = (): void => {
    const [first] = calls;
    if (first && calls.length >= MIN_CALLS) rows.push({ kind: 'run', key: `run-${first.key}`, calls });
    else rows.push(...calls);
    calls = [];
  };
  for (const item of items) {
    if (isQuietLook(item)) calls.push(item);
    else {
      close();
      if (isAttempt(item) && isAttempt(rows.at(-1))) rows.pop();
      rows.push(item);
    }
  }
  close();
  return rows;
}

/** What the calls of a run did, in words. */
export function runWords(calls: readonly CallItem[]): string {
  const reads = calls.filter(({ name }) => READS.has(name));
  const files = new Set(
    reads.map(({ input }) => textAt(input, 'file_path') || textAt(input, 'notebook_path')),
  ).size;
  const searches = calls.length - reads.length;
  const parts = [
    ...(files > 0 ? [t.model.readFiles(files)] : []),
    ...(searches > 0 ? [t.model.searched(searches)] : []),
  ].join(', ');
  return parts.slice(0, 1).toUpperCase() + parts.slice(1);
}

function isAttempt(row: Item | RunItem | undefined): boolean {
  return row?.kind === 'note' && row.isAttempt === true;
}

function isQuietLook(item: Item): item is CallItem {
  if (item.kind !== 'call' || item.decidedBy !== undefined || (item.result?.images.length ?? 0) > 0)
    return false;
  if (!READS.has(item.name) && !SEARCHES.has(item.name)) return false;
  return item.state === 'done' || item.state === 'running';
}
