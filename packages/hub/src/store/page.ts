/** What one page holds unless told otherwise. */
export const PAGE_ITEMS = 100;
