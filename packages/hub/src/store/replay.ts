import type { SessionRecord, Window } from './record.ts';

/** All entries from number `from` on, window by window, up to the newest at the time; the next one is read ahead. */
export async function* replay(record: SessionRecord, session: string, from = 1): AsyncGenerator<Window> {
  let next: Promise<Window> | undefined = record.window(session, from);
  while (next) {
    const window: Window = await next;
    const seq = window.entries.at(-1)?.seq;
    if (seq === undefined) return;
    next = seq < window.last ? record.window(session, seq + 1) : undefined;
    // A reader that leaves early must not leave a failure behind that nobody hears of.
    next?.catch(() => undefined);
    yield window;
  }
}
