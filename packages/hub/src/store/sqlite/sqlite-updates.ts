import { MAX_PAGE_ITEMS, type SessionUpdate, type UpdatePage } from '@signalbox/protocol/hub';
import { StoreArgumentError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { RecordWriter } from './record-writer.ts';

interface UpdateRow {
  position: number;
  session: string;
  isRemoved: number;
}

/**
 * Updates in the order of their positions. That of a session is in its row, unless it has lines that are not in a block yet:
 * then the writer knows a later one.
 */
export class SqliteUpdates {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #writer: RecordWriter;

  constructor(database: Database, writer: RecordWriter) {
    this.#queries = prepareQueries(database);
    this.#writer = writer;
  }

  after(position: number, limit = MAX_PAGE_ITEMS): UpdatePage {
    const most = Math.min(limit, MAX_PAGE_ITEMS);
    for (const number of [position, most - 1])
      if (!Number.isSafeInteger(number) || number < 0)
        throw new StoreArgumentError(`There are no ${limit} updates after ${position}`);
    const newest = this.#writer.position;
    if (position > newest) return { state: 'reset', items: [], position: 0, isComplete: false };
    const rows = this.#queries.after.all([position, position, most + 1]);
    // What the rows do not reach may have changed between two of them.
    const reach = rows.length > most ? (rows[most - 1]?.position ?? newest) : newest;
    const hidden = new Set(this.#queries.imported.all([]).map(({ id }) => id));
    const recent = this.#writer.updatedAfter(position);
    const items: SessionUpdate[] = recent.filter(
      (update) => update.position <= reach && !hidden.has(update.session),
    );
    const isRecent = new Set(recent.map(({ session }) => session));
    for (const row of rows)
      if (row.position <= reach && (row.isRemoved || !isRecent.has(row.session)))
        items.push(this.#updateOf(row));
    items.sort((one, other) => one.position - other.position);
    const page = items.slice(0, most);
    const last = items.length > most ? (page.at(-1)?.position ?? reach) : reach;
    return { state: 'updates', items: page, position: last, isComplete: last === newest };
  }

  #updateOf({ position, session, isRemoved }: UpdateRow): SessionUpdate {
    if (isRemoved) return { kind: 'removed', position, session };
    return { kind: 'updated', position, session, last: this.#writer.session(session).last };
  }
}

function prepareQueries(database: Database) {
  return {
    after: database.prepare<UpdateRow>(
      `SELECT position, id AS session, 0 AS isRemoved FROM session WHERE position > ? AND state <> 'importing'
        UNION ALL SELECT position, session, 1 FROM removed_session WHERE position > ?
        ORDER BY position LIMIT ?`,
    ),
    imported: database.prepare<{ id: string }>(`SELECT id FROM session WHERE state = 'importing'`),
  };
}
