/** The most that one page holds, and what it holds unless told otherwise. */
export const MAX_PAGE_ITEMS = 500;
export const PAGE_ITEMS = 100;

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
