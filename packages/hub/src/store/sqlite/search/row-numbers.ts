import type { Database } from '../database.ts';

/** How many rows a millisecond has numbers for, before it takes those of the next. */
const SLOTS = 2048;

/** Up to here the number of a row is exact: some day in 2109. */
const LAST_MS = Math.floor(Number.MAX_SAFE_INTEGER / SLOTS) - 1;

/** The first number that a row of this time can have. */
export function firstRow(time: number): number {
  return Math.min(Math.max(Math.floor(time) || 0, 0), LAST_MS) * SLOTS;
}

/** Numbers of rows that have the order of their times, whatever order they come in. */
export class RowNumbers {
  readonly #last: ReturnType<typeof lastQuery>;
  #first = -1;
  #row = -1;

  constructor(database: Database) {
    this.#last = lastQuery(database);
  }

  /** Rows may have been added or removed since the last one was taken. */
  forget(): void {
    this.#first = -1;
  }

  /** The number of a row that is added before another one is taken. */
  take(time: number): number {
    const first = firstRow(time);
    const isNext = first === this.#first && (this.#row + 1) % SLOTS !== 0;
    this.#row = isNext ? this.#row + 1 : this.#freeFrom(first === this.#first ? this.#row + 1 : first);
    this.#first = first;
    return this.#row;
  }

  #freeFrom(first: number): number {
    for (let from = first; ; from += SLOTS) {
      const last = this.#last.get([from, from + SLOTS])?.last ?? null;
      if (last === null) return from;
      if (last < from + SLOTS - 1) return last + 1;
    }
  }
}

function lastQuery(database: Database) {
  return database.prepare<{ last: number | null }>(
    'SELECT max(id) AS last FROM said_content WHERE id >= CAST(? AS INTEGER) AND id < CAST(? AS INTEGER)',
  );
}
