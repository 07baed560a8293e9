import type { DiffHunk } from 'signalbox/hub';

/** A line of a diff: its number on each side that has it. */
export interface DiffRow {
  sign: '+' | '-' | ' ';
  text: string;
  old: number | undefined;
  new: number | undefined;
  /** Git's note on it: that the file ends without a line end. */
  note?: string;
}

/** The two sides of a line of a split view; a side without one is empty. */
export interface SplitRow {
  left: DiffRow | undefined;
  right: DiffRow | undefined;
}

/** The lines of a hunk with their numbers. */
export function rowsOf({ oldStart, newStart, lines }: DiffHunk): DiffRow[] {
  const rows: DiffRow[] = [];
  let before = oldStart;
  let after = newStart;
  for (const line of lines) {
    const text = line.slice(1);
    const last = rows.at(-1);
    if (line.startsWith('+')) rows.push({ sign: '+', text, old: undefined, new: after++ });
    else if (line.startsWith('-')) rows.push({ sign: '-', text, old: before++, new: undefined });
    else if (line.startsWith(' ')) rows.push({ sign: ' ', text, old: before++, new: after++ });
    else if (last) last.note = text.trim();
  }
  return rows;
}

/** Removed lines beside those that came in their place. */
export function splitRows(rows: readonly DiffRow[]): SplitRow[] {
  const split: SplitRow[] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      split.push({ left: removed[at], right: added[at] });
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.sign === '-') {
      // Lines that go after others came begin a change of their own.
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.sign === '+') added.push(row);
    else {
      flush();
      split.push({ left: row, right: row });
    }
  }
  flush();
  return split;
}
