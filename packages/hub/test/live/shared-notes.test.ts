import { RECORD_START, type SessionViewer } from '@signalbox/protocol/hub';
import { startTestHub, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Holds } from '../../src/base/holds.ts';
import { SharedNotes } from '../../src/doors/stream/shared-notes.ts';
import { Feed, type Subscriber } from '../../src/sessions/feed.ts';
import type { Frame } from '../../src/sessions/frame.ts';
import { TestViewer } from './test-viewer.ts';

const viewer = (deviceId: string): SessionViewer => ({ person: 'Ada', device: 'laptop', deviceId });

class Watcher implements Subscriber {
  readonly frames: Frame[] = [];
  readonly viewer: SessionViewer;

  constructor(deviceId: string) {
    this.viewer = viewer(deviceId);
  }

  onEntries(): void {}
  onPreview(): void {}
  onMessage(frame: Frame): void {
    this.frames.push(frame);
  }

  get told(): unknown[] {
    // The header of a short frame has two bytes, that of a longer one four.
    return this.frames.map(({ plain }) => JSON.parse(plain.subarray(plain.indexOf('{')).toString()));
  }
}

describe('what many are told', () => {
  it('[LV1050] of who comes and goes is one frame with the difference, for all that were there', () => {
    const feed = new Feed('s', RECORD_START, new Holds('s', () => {}));
    const [a, b, c, again] = [new Watcher('a'), new Watcher('b'), new Watcher('c'), new Watcher('c')];
    for (const watcher of [a, b, c, again]) feed.join(watcher);
    expect(feed.viewers).toEqual(['a', 'b', 'c'].map(viewer));
    const joined = (id: string) => ({ type: 'presence', session: 's', joined: [viewer(id)], left: [] });
    expect(a.told).toEqual([joined('b'), joined('c')]);
    expect(a.frames[1]).toBe(b.frames[0]);
    expect(c.frames).toEqual([]);
    // A device is there as long as one connection of it is, and one that has left has left once.
    feed.leave(c);
    feed.leave(c);
    expect(a.frames).toHaveLength(2);
    const stop = feed.listen({ viewer: viewer('c'), onEntries() {}, onPreview() {}, onNote() {} });
    feed.leave(again);
    expect(a.frames).toHaveLength(2);
    stop();
    stop();
    expect(a.told.slice(2)).toEqual([{ type: 'presence', session: 's', joined: [], left: [viewer('c')] }]);
    expect(a.frames[2]).toBe(b.frames[1]);
  });

  it('[LV1050] of all sessions is one frame for all who watch them', async () => {
    const { store, hub, token } = await startTestHub();
    const notes = new SharedNotes();
    const session = await store.sessions.create('s');
    expect(notes.changed(session)).toBe(notes.changed(session));
    expect(notes.changed({ ...session, title: 'x' })).not.toBe(notes.changed(session));
    expect(notes.removed('s')).toBe(notes.removed('s'));
    expect(notes.removed('t')).not.toBe(notes.removed('s'));
    const watching = await Promise.all(
      [token, await tokenFor(store, { scope: 'watch' })].map((one) => TestViewer.connect(hub.url, one)),
    );
    for (const one of watching) await one.ask({ type: 'subscribe', session: '*' });
    await fetch(`${hub.url}/api/sessions/s`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'renamed' }),
    });
    const [one, other] = await Promise.all(
      watching.map((each) =>
        each.find(({ type, session: told }) => type === 'session' && told.title === 'renamed'),
      ),
    );
    expect(one).toEqual(other);
  });
});
