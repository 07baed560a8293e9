import { LIMITS } from '@signalbox/protocol';
import type { RecordOutline, SearchHit, SearchQuery } from '@signalbox/protocol/hub';

/** How many hits a page has unless told otherwise. */
export const SEARCH_HITS = 20;

/** How many turns each part of an outline has, so that there are not more parts than it may have. */
export function turnsInPart(turns: number): number {
  return Math.max(1, Math.ceil(turns / LIMITS.outlineParts.most));
}

/** The beginning of a prompt, in one line. */
export function outlineWords(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  const { most } = LIMITS.outlineWordsLength;
  return words.length <= most ? words : `${words.slice(0, most)}…`;
}

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
  /** The turns of a session's record, as far as it is kept; nothing for a session that is not there. */
  outline(session: string): Promise<RecordOutline>;
}
