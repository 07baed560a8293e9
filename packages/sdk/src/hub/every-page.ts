import { LIMITS } from '@signalbox/protocol';
import { type Page, pagesOf } from '@signalbox/protocol/hub';
import type { PageQuery } from './hub-api.ts';
import { HubRefusedError } from './hub-errors.ts';

/**
 * The pages of a list of a hub, one after the other. Raises `HUB_REFUSED`: with `ANSWER_UNREADABLE` for a list that leads back to a
 * page that was there, and with `ANSWER_TOO_LONG` for one that does not end.
 */
export function everyPage<Item>(
  read: (query: PageQuery) => Promise<Page<Item>>,
  most: number = LIMITS.hubPages.most,
): AsyncIterable<Item[]> {
  const seen = new Set<string>();
  return pagesOf(async (query: PageQuery) => {
    const { after } = query;
    if (after !== undefined && seen.has(after))
      throw new HubRefusedError('ANSWER_UNREADABLE', 'No answer of a hub: its list leads back to itself.');
    if (after !== undefined && seen.size + 1 >= most)
      throw new HubRefusedError('ANSWER_TOO_LONG', `The list of the hub has more than ${most} pages.`);
    if (after !== undefined) seen.add(after);
    return read(query);
  });
}
