import type { Cursor, EntryMessage, HubDevice, Session } from 'signalbox/hub';

/** How many sessions are kept; those that were not shown for the longest time go first. */
export const MAX_KEPT_SESSIONS = 30;

/** How much of a session is kept: its last entries, as many as the page reads to begin with, and no more than this of text. */
export const MAX_TAIL_ENTRIES = 200;
export const MAX_TAIL_CHARACTERS = 500_000;

/** How many rows of the list are kept. */
export const MAX_KEPT_ROWS = 500;

/** What a row of the board says beside the facts of its session. */
export interface KeptGlance {
  lastLine: string;
  costUsd: number | undefined;
}

/** The list as it was last seen. */
export interface KeptList {
  device: HubDevice;
  sessions: readonly Session[];
  glances: ReadonlyMap<string, KeptGlance>;
  savedAt: number;
}

/** The end of a session's record as it was last seen, and the cursor to go on from. */
export interface KeptSession {
  id: string;
  session: Session;
  entries: readonly EntryMessage[];
  cursor: Cursor;
  /** The number of the last entry that the hub kept no longer. */
  trimmed: number;
  usedAt: number;
}

/** What keeps sessions for the next page. */
export interface SessionKeeper {
  session(id: string): Promise<KeptSession | undefined>;
  /** Asks for the session when it is written; undefined where there is nothing to go on from. */
  keepSession(id: string, session: () => Omit<KeptSession, 'id' | 'usedAt'> | undefined): void;
  remove(id: string): void;
}

/** How long an entry is as text. Measured once: the same entries are kept again with each that is new. */
const lengths = new WeakMap<EntryMessage, number>();

function lengthOf(entry: EntryMessage): number {
  const known = lengths.get(entry);
  if (known !== undefined) return known;
  const length = JSON.stringify(entry).length;
  lengths.set(entry, length);
  return length;
}

/** The newest entries that there is room for, without a gap. */
export function tailToKeep(entries: readonly EntryMessage[]): readonly EntryMessage[] {
  let room = MAX_TAIL_CHARACTERS;
  let from = entries.length;
  while (from > 0 && entries.length - from < MAX_TAIL_ENTRIES) {
    const entry = entries[from - 1];
    if (!entry) break;
    room -= lengthOf(entry);
    if (room < 0) break;
    from -= 1;
  }
  return entries.slice(from);
}
