import { everyPage, type Page, type PageQuery } from 'signalbox/hub';

/** All of a list that comes in pages. Raises `HUB_REFUSED` for one that does not end. */
export async function everyItem<Item>(read: (query: PageQuery) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of everyPage(read)) for (const item of page) items.push(item);
  return items;
}
