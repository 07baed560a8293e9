import type { Entry, SessionRecord } from '../store/record.ts';

/** What the newest entry of a record, or the newest before a number, has for which `look` gives something. */
export async function newestOf<Found>(
  record: SessionRecord,
  session: string,
  look: (entry: Entry) => Found | undefined,
  before?: number,
): Promise<Found | undefined> {
  let { entries } = await (before === undefined
    ? record.tail(session)
    : record.windowBefore(session, before));
  while (entries.length > 0) {
    for (const entry of entries.toReversed()) {
      const found = look(entry);
      if (found !== undefined) return found;
    }
    ({ entries } = await record.windowBefore(session, entries[0]?.seq ?? 1));
  }
  return undefined;
}
