import { describe, expect, it } from 'vitest';
import { Stream } from '../../src/doors/stream/stream.ts';
import type { Subscriber } from '../../src/sessions/feed.ts';
import { Frame } from '../../src/sessions/frame.ts';

describe('a record that cannot be read while a viewer catches up', () => {
  it('[HB2556] ends its connection, so that it comes again and goes on: it would be shown nothing more', async () => {
    const subscribers: Subscriber[] = [];
    const closes: number[] = [];
    const entry = { kind: 'damaged', seq: 1 };
    const live = {
      id: 'one',
      session: { id: 'one' },
      activity: 'idle',
      asks: { open: [] },
      previews: { lines: () => [] },
      feed: {
        last: 1,
        viewers: [],
        join: (subscriber: Subscriber) => subscribers.push(subscriber),
        leave: () => {},
        showPreviews: () => {},
      },
    };
    const store = {
      record: {
        tail: async () => ({ entries: [entry], last: 1, trimmed: 0 }),
        window: async () => Promise.reject(new Error('the disk does not answer')),
      },
      inbox: { list: async () => [], pendingBytes: async () => 0 },
    };
    const sessions = {
      use: async (_: unknown, __: string, work: (one: typeof live) => Promise<void>) => work(live),
    };
    const viewer = {
      inflates: false,
      say: () => {},
      write: () => {},
      drained: async () => {},
      close: (code: number) => closes.push(code),
    };
    // Only what is looked at on the way is here.
    const device = { id: 'd', person: 'Ada', name: 'x', scope: 'watch', session: null };
    const stream: Stream = Reflect.construct(Stream, [{ store, sessions }, device, viewer]);
    await stream.hear(JSON.stringify({ type: 'subscribe', id: '1', session: 'one' }));
    const [subscriber] = subscribers;
    live.feed.last = 3;
    // Its first entries were read from the record already: what is between is read from there.
    subscriber?.onEntries(1, { seq: 3, check: 3 }, new Frame([]));
    await expect.poll(() => closes).toEqual([1011]);
  });
});
