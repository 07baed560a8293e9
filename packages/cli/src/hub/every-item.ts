import type { Page, PageQuery } from 'signalbox/hub';

/** All of a list that comes in pages. */
export async function everyItem<Item>(read: (query: PageQuery) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page = await read(after === undefined ? {} : { after });
    for (const item of page.items) items.push(item);
    after = page.next;
  } while (after !== undefined);
  return items;
}
