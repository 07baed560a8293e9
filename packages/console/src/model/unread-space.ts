/** What an entry takes that was never read: it does not change, so that the same place of the scroll bar is the same entry. */
const ENTRY_PX = 40;

/** Browsers know no boxes that are much higher. */
const MAX_SPACE_PX = 6_000_000;

/** The entry that is so far from another one in room that was never read. */
export function entryAt(seq: number, px: number, all: number): number {
  const at = seq + Math.round(px / entryPx(all));
  return Math.min(Math.max(1, at), Math.max(1, all - 1));
}

/** The room of each entry of a record that has `all` of them. */
export function entryPx(all: number): number {
  return Math.min(ENTRY_PX, MAX_SPACE_PX / Math.max(1, all));
}
