import { describe, expect, it } from 'vitest';
import { FileSessionStore, type SessionStore } from '../../src/index.ts';
import { CONVERSATION, KEY, STORES, said, temporaryFolder, uuid } from './stored-session.ts';

describe.each(STORES)('a session store in %s', (_name, open) => {
  it('[SD100] gives back what was appended, in that order', async () => {
    const store = await open();
    expect(await store.load(KEY)).toBeNull();
    await store.append(KEY, CONVERSATION.slice(0, 2));
    await store.append(KEY, CONVERSATION.slice(2));
    expect(await store.load(KEY)).toEqual(CONVERSATION);
    expect(await store.load({ ...KEY, sessionId: uuid(901) })).toBeNull();
  });

  it('[SD100] is not changed by what is done to an entry afterwards', async () => {
    const store = await open();
    const entry = said(1, 'as it was');
    await store.append(KEY, [entry]);
    entry['message'] = 'changed';
    const loaded = await store.load(KEY);
    loaded?.push(said(2, 'more'));
    expect(await store.load(KEY)).toEqual([said(1, 'as it was')]);
  });

  it('[SD101] keeps an entry with a uuid once, and one without as often as it comes', async () => {
    const store = await open();
    const title = { type: 'custom-title', customTitle: 't' };
    await Promise.all([
      store.append(KEY, [said(1, 'a'), title]),
      store.append(KEY, [said(1, 'a'), said(2, 'b'), said(2, 'b'), title]),
    ]);
    expect(await store.load(KEY)).toEqual([said(1, 'a'), title, said(2, 'b'), title]);
  });

  it('[SD102] lists sessions by project, with the time of their last change', async () => {
    const store = await open();
    const startedAt = Date.now();
    await store.append(KEY, CONVERSATION);
    await store.append({ ...KEY, projectKey: 'other' }, [said(1, 'x')]);
    await store.append({ ...KEY, subpath: 'subagents/agent-7' }, [said(1, 'x')]);
    const [session, ...others] = (await store.listSessions?.(KEY.projectKey)) ?? [];
    expect(others).toEqual([]);
    expect(session?.sessionId).toBe(KEY.sessionId);
    // File systems keep time in steps of their own.
    expect(session?.mtime).toBeGreaterThan(startedAt - 2000);
    expect(Number.isInteger(session?.mtime)).toBe(true);
    expect((await store.listProjects?.())?.toSorted()).toEqual([KEY.projectKey, 'other'].toSorted());
    expect(await store.listSessions?.('nothing-here')).toEqual([]);
  });

  it('[SD103] deletes a session with what belongs to it, and nothing else', async () => {
    const store = await open();
    const subpath = 'subagents/agent-7';
    const neighbour = { ...KEY, sessionId: uuid(901) };
    for (const key of [KEY, { ...KEY, subpath }, neighbour]) await store.append(key, [said(1, 'x')]);
    expect(await store.listSubkeys?.(KEY)).toEqual([subpath]);
    await store.delete?.({ ...KEY, subpath });
    expect(await store.load(KEY)).not.toBeNull();
    await store.append({ ...KEY, subpath }, [said(1, 'x')]);
    await store.delete?.(KEY);
    expect(await store.load(KEY)).toBeNull();
    expect(await store.load({ ...KEY, subpath })).toBeNull();
    expect(await store.listSubkeys?.(KEY)).toEqual([]);
    expect(await store.load(neighbour)).toEqual([said(1, 'x')]);
  });
});

describe('the file store', () => {
  it.each([
    { projectKey: '..' },
    { projectKey: 'a/b' },
    { projectKey: '' },
    { sessionId: '../../x' },
    { subpath: '../../x' },
    { subpath: '/etc/x' },
    { subpath: '' },
  ])('[SD104] refuses a key that leads elsewhere: %o', async (part) => {
    const store: SessionStore = new FileSessionStore(await temporaryFolder());
    const key = { ...KEY, ...part };
    const refused = { code: 'SESSION_KEY_INVALID' };
    await expect(store.append(key, [said(1, 'x')])).rejects.toMatchObject(refused);
    await expect(store.load(key)).rejects.toMatchObject(refused);
    await expect(store.delete?.(key)).rejects.toMatchObject(refused);
  });
});
