import { replay } from './replay.ts';
import type { Store } from './store.ts';

/** What {@link verifyStore} found. */
export interface StoreReport {
  sessions: number;
  entries: number;
  damaged: { session: string; seq: number }[];
}

/** Read every entry of every session and compare it with its checksum. */
export async function verifyStore(store: Store): Promise<StoreReport> {
  const report: StoreReport = { sessions: 0, entries: 0, damaged: [] };
  let after: string | undefined;
  do {
    const page = await store.sessions.list(after === undefined ? {} : { after });
    for (const { id } of page.items) {
      report.sessions += 1;
      for await (const { entries } of replay(store.record, id)) {
        report.entries += entries.length;
        for (const { kind, seq } of entries)
          if (kind === 'damaged') report.damaged.push({ session: id, seq });
      }
    }
    after = page.next;
  } while (after !== undefined);
  return report;
}
