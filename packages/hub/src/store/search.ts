import type { SearchHit, SearchQuery } from '@signalbox/protocol/hub';

/** How many hits a page has unless told otherwise. */
export const SEARCH_HITS = 20;

/** A part of what was found, newest first. */
export interface FoundPage {
  items: SearchHit[];
  next?: string;
  /** False while entries are recorded that the index does not have yet, and that it did not get to in time. */
  isComplete: boolean;
}

/** Finds what was said in all sessions. What was recorded before it is asked is found. */
export interface Search {
  /** Raises `STORE_ARGUMENT` when the words have neither letters nor digits. */
  find(query: SearchQuery): Promise<FoundPage>;
}
