/** Which part of a list is wanted; `after` is the `next` of the page before. */
export interface PageRequest {
  after?: string;
  limit?: number;
}

/** A part of a list; without `next` it is the last. */
export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** The pages of a list, one after the other. */
export async function* pagesOf<Item>(
  read: (request: { after?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  let after: string | undefined;
  do {
    const page = await read(after === undefined ? {} : { after });
    yield page.items;
    after = page.next;
  } while (after !== undefined);
}
