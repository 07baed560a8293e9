import type { LinkPosition } from '@signalbox/transport';
import type { Appended } from '../record.ts';
import { runsOf } from '../sql/cut-runs.ts';
import { newLinesOf, positionOf } from '../sql/new-lines.ts';
import type { PackedAppend } from '../sql/packed-lines.ts';
import { encodeAuthor } from '../sql/packed-window.ts';
import type { Run } from '../sql/run.ts';

/** What is stored of a session and its record. */
export interface SessionRow {
  number: number;
  id: string;
  generation: number;
  link_epoch: string | null;
  link_count: number | null;
  last: number;
  trimmed: number;
  first_week: number | null;
  last_week: number | null;
}

/** A session whose row is locked until the end of the transaction, and what is to be stored of it then. */
export class HeldSession {
  readonly number: number;
  readonly id: string;
  readonly trimmed: number;
  /** The weeks in which it has runs. */
  weeks: { first: number; last: number } | undefined;
  generation: number;
  position: LinkPosition | undefined;
  last: number;
  /** What its runs that are stored by this transaction take. */
  bytes = 0;
  isChanged = false;
  #staged: Run[] = [];

  constructor(row: SessionRow) {
    this.number = row.number;
    this.id = row.id;
    this.generation = row.generation;
    this.trimmed = row.trimmed;
    this.position = positionOf(row);
    // Where all that there was is taken away, the next entry follows it all the same.
    this.last = Math.max(row.last, row.trimmed);
    if (row.first_week !== null && row.last_week !== null)
      this.weeks = { first: row.first_week, last: row.last_week };
  }

  append(append: PackedAppend, generation: number): Appended {
    const { lines, position } = newLinesOf(append, this.position);
    const first = this.last + 1;
    const runs = runsOf(first, lines, encodeAuthor(append.author), generation);
    this.#staged.push(...runs);
    this.last += lines.length;
    this.position = position ?? this.position;
    this.isChanged ||= lines.length > 0 || position !== undefined;
    return { first, count: lines.length, checks: runs.flatMap((run) => run.checks()) };
  }

  takeStaged(): readonly Run[] {
    const staged = this.#staged;
    this.#staged = [];
    return staged;
  }

  /** It has runs of this week. */
  noteWeek(week: number): void {
    const { first, last } = this.weeks ?? { first: week, last: week };
    this.weeks = { first: Math.min(first, week), last: Math.max(last, week) };
  }
}
