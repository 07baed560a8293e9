import { PAGE_ITEMS, StoreArgumentError } from '@signalbox/hub/store';
import { MAX_PAGE_ITEMS, type Page, type PageRequest } from '@signalbox/protocol/hub';
import type { Row } from './tables.ts';

/** One page of rows that are in their order, oldest or newest first. */
export function pageOf<Value>(
  rows: readonly Row<Value>[],
  { after, limit = PAGE_ITEMS }: PageRequest,
  order: 'oldest' | 'newest',
): Page<Value> {
  const start = after === undefined ? undefined : Number(after);
  if (start !== undefined && !Number.isSafeInteger(start))
    throw new StoreArgumentError(`There is no page after ${after}`);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new StoreArgumentError(`A page cannot have ${limit} items`);
  const listed = order === 'oldest' ? rows : rows.toReversed();
  const isLater = (number: number): boolean =>
    start === undefined || (order === 'oldest' ? number > start : number < start);
  const rest = listed.filter(({ number }) => isLater(number));
  const items = rest.slice(0, Math.min(limit, MAX_PAGE_ITEMS));
  const last = items.at(-1);
  const page: Page<Value> = { items: items.map(({ value }) => value) };
  return rest.length > items.length && last ? { ...page, next: String(last.number) } : page;
}
