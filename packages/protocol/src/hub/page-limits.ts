/** The most that a page of a list, and a window of a record, hold. */
export const MAX_PAGE_ITEMS = 500;
export const MAX_WINDOW_ENTRIES = 10_000;

/** The most hits that one page of a search has. */
export const MAX_SEARCH_HITS = 100;
