import { pagesOf } from '@signalbox/protocol/hub';
import { replay } from './replay.ts';
import type { Store } from './store.ts';

/** What {@link verifyStore} found. */
export interface StoreReport {
  sessions: number;
  entries: number;
  damaged: { session: string; seq: number }[];
  /** Sessions of which only the id, the state and the times can be read. */
  unread: string[];
}

/** Read every entry of every session and compare it with its checksum. */
export async function verifyStore(store: Store): Promise<StoreReport> {
  const report: StoreReport = { sessions: 0, entries: 0, damaged: [], unread: [] };
  for await (const page of pagesOf((from) => store.sessions.list(from)))
    for (const { id, unread } of page) {
      report.sessions += 1;
      if (unread) report.unread.push(id);
      for await (const { entries } of replay(store.record, id)) {
        report.entries += entries.length;
        for (const { kind, seq } of entries)
          if (kind === 'damaged') report.damaged.push({ session: id, seq });
      }
    }
  return report;
}
