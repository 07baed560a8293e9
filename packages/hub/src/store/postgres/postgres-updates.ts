import { MAX_PAGE_ITEMS, type SessionUpdate, type UpdatePage } from '@signalbox/protocol/hub';
import { Statement, type Steps } from '../sql/statement.ts';
import { StoreArgumentError } from '../store-errors.ts';

interface UpdateRow {
  position: number;
  session: string;
  last: number;
  removed: number;
}

const QUERIES = {
  newest: new Statement<{ last: number }>('SELECT last FROM updates'),
  after: new Statement<UpdateRow>(
    `SELECT position, id AS session, greatest(last, trimmed) AS last, 0 AS removed FROM session
        WHERE position > ? AND state <> 'importing'
      UNION ALL SELECT position, session, 0, 1 FROM removed_session WHERE position > ?
      ORDER BY position LIMIT ?`,
  ),
};

/** Updates in the order of their positions. */
export class PostgresUpdates {
  *after(position: number, limit = MAX_PAGE_ITEMS): Steps<UpdatePage> {
    const most = Math.min(limit, MAX_PAGE_ITEMS);
    for (const number of [position, most - 1])
      if (!Number.isSafeInteger(number) || number < 0)
        throw new StoreArgumentError(`There are no ${limit} updates after ${position}`);
    // Asked first: what comes between the two questions is heard of once more, and nothing is passed over.
    const newest = (yield* QUERIES.newest.get())?.last ?? 0;
    if (position > newest) return { state: 'reset', items: [], position: 0, isComplete: false };
    const rows = yield* QUERIES.after.all([position, position, most + 1]);
    const items = rows.slice(0, most).map(updateOf);
    const isComplete = rows.length <= most;
    return {
      state: 'updates',
      items,
      position: isComplete ? newest : (items.at(-1)?.position ?? newest),
      isComplete,
    };
  }
}

function updateOf({ position, session, last, removed }: UpdateRow): SessionUpdate {
  return removed ? { kind: 'removed', position, session } : { kind: 'updated', position, session, last };
}
