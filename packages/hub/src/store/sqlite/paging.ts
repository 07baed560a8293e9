import { MAX_PAGE_ITEMS, PAGE_ITEMS, type Page, type PageRequest } from '../page.ts';
import { StoreArgumentError } from '../store-errors.ts';

/** The number that a page begins behind, and how many items it may have. */
export function pageBounds({ after, limit = PAGE_ITEMS }: PageRequest): {
  after: number | undefined;
  limit: number;
} {
  const number = after === undefined ? undefined : Number(after);
  if (number !== undefined && !Number.isSafeInteger(number)) {
    throw new StoreArgumentError(`There is no page after ${after}`);
  }
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new StoreArgumentError(`A page cannot have ${limit} items`);
  return { after: number, limit: Math.min(limit, MAX_PAGE_ITEMS) };
}

/** A page of rows, of which one more was asked for than it holds. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  numberOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const page: Page<Item> = { items: rows.slice(0, limit).map(itemOf) };
  const last = rows[limit - 1];
  if (rows.length > limit && last !== undefined) page.next = String(numberOf(last));
  return page;
}
