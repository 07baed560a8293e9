import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSession } from '../../src/sessions/live-session.ts';
import { LiveSessions } from '../../src/sessions/live-sessions.ts';
import { MAX_RESTING_SESSIONS } from '../../src/sessions/open-sessions.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import type { Store } from '../../src/store/store.ts';

const ADA = { by: 'person', name: 'Ada', device: 'laptop' } as const;

let store: Store;
let sessions: LiveSessions;
let trouble: unknown[];

beforeEach(async () => {
  store = await openMemoryStore();
  trouble = [];
  sessions = new LiveSessions(store, (_, error) => trouble.push(error));
});

afterEach(() => store.close());

/** Use so many others that each session which nobody holds is let go of. */
async function useOthers(): Promise<void> {
  for (let n = 0; n <= MAX_RESTING_SESSIONS; n += 1) {
    const id = `other ${n}`;
    if (!(await store.sessions.get(id))) await store.sessions.create(id);
    await sessions.use(id, () => {});
  }
}

function same(id: string, live: LiveSession | undefined): Promise<boolean> {
  return sessions.use(id, (found) => found === live);
}

describe('a session in use', () => {
  it('[LV6] is one and the same while anybody holds it, and among the last that were used', async () => {
    await store.sessions.create('s');
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let live: LiveSession | undefined;
    const using = sessions.use('s', async (found) => {
      live = found;
      await released;
    });
    await useOthers();
    expect(await same('s', live)).toBe(true);
    await useOthers();
    release();
    await using;
    expect(await same('s', live)).toBe(true);
    await useOthers();
    expect(sessions.all).toHaveLength(MAX_RESTING_SESSIONS);
    expect(await same('s', live)).toBe(false);
  });

  it('[LV1560] is held by who watches it, and by work that nobody waits for', async () => {
    await store.sessions.create('watched');
    await store.sessions.create('written');
    const [watched, stop] = await sessions.use('watched', (live) => {
      const viewer = { person: 'Ada', device: 'laptop', deviceId: 'd' };
      const listener = { viewer, onEntries: () => {}, onPreview: () => {}, onNote: () => {} };
      return [live, live.feed.listen(listener)] as const;
    });
    await useOthers();
    expect(await same('watched', watched)).toBe(true);
    stop();
    await useOthers();
    expect(await same('watched', watched)).toBe(false);
    // The note is not stored when the one who wrote it is done.
    let goOn = (): void => {};
    const work = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const written = await sessions.use('written', (live) => {
      live.noteStop(ADA);
      void live.hold(work);
      return live;
    });
    await useOthers();
    expect(await same('written', written)).toBe(true);
    goOn();
    await useOthers();
    expect(await same('written', written)).toBe(false);
    expect((await store.record.tail('written')).entries).toHaveLength(1);
    expect(trouble).toEqual([]);
  });

  it('[LV1561] cannot be written to by one who kept it without holding it', async () => {
    await store.sessions.create('s');
    const kept = await sessions.use('s', (live) => live);
    await useOthers();
    await expect(kept.hold(Promise.resolve())).rejects.toThrow('Session s was let go of, and is used.');
    expect(() => kept.noteStop(ADA)).toThrow('Session s was let go of, and is used.');
    expect((await store.record.tail('s')).entries).toEqual([]);
  });
});
