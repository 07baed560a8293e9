import { MAX_PAGE_ITEMS, type Page, type PageRequest } from '@signalbox/protocol/hub';
import { PAGE_ITEMS } from '../page.ts';
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

/** What a page comes to at most, unless its first item is longer: it is made in memory. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** How many of these items a page holds that may have `limit` of them. */
export function itemsWithin(sizes: readonly { bytes: number }[], limit: number): number {
  let left = PAGE_BYTES;
  const end = sizes.findIndex(({ bytes }, index) => (left -= bytes) < 0 && index > 0);
  return Math.min(limit, end === -1 ? sizes.length : end);
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
