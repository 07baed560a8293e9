import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

describe('sessions', () => {
  it('[AP23] get another title, which everyone sees', async () => {
    const { hub, store, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    const renamed = await call(hub.url, token, 'PATCH', '/api/sessions/s', { title: 'Better' });
    expect(renamed).toMatchObject({ status: 200, body: { id: 's', title: 'Better' } });
    await viewer.find(({ type, session }) => type === 'session' && session.title === 'Better');
    expect((await store.sessions.get('s'))?.title).toBe('Better');
    const watcher = await tokenFor(store, { scope: 'watch' });
    expect((await call(hub.url, watcher, 'PATCH', '/api/sessions/s', { title: 'x' })).status).toBe(403);
  });

  it('[AP2450] are put away without being removed, and come out again when they are prompted or ask', async () => {
    const { hub, store, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    const put = (isArchived: boolean) => call(hub.url, token, 'PATCH', '/api/sessions/s', { isArchived });
    const away = await put(true);
    expect(away).toMatchObject({ status: 200, body: { archivedAt: expect.any(Number) } });
    expect(away.body.updatedAt).toBe(body.session.updatedAt);
    await viewer.find(({ type, session }) => type === 'session' && session.archivedAt !== null);
    expect((await store.sessions.get('s'))?.archivedAt).toBe(away.body.archivedAt);
    expect((await put(true)).body.archivedAt).toBe(away.body.archivedAt);
    expect((await put(false)).body.archivedAt).toBeNull();
    await put(true);
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: '1', content: 'go on' });
    expect((await call(hub.url, token, 'GET', '/api/sessions/s')).body.archivedAt).toBeNull();
    await put(true);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, body.token);
    await agent.ask('q', { command: 'true' });
    await until(async () => {
      const { body: now } = await call(hub.url, token, 'GET', '/api/sessions/s');
      return now.state === 'asking' && now.archivedAt === null;
    });
    const { items } = await store.audit.list({ session: 's' });
    const decided = items.map(({ what }) => what).toReversed();
    expect(decided.slice(1)).toEqual(['archive', 'unarchive', 'archive', 'archive']);
    expect((await call(hub.url, token, 'PATCH', '/api/sessions/s', {})).status).toBe(400);
  });

  it('[AP24] are removed with their record and their tokens, but not while the agent is connected', async () => {
    const { hub, store, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, body.token);
    await agent.say(assistant('x'));
    const remove = (as: string) => call(hub.url, as, 'DELETE', '/api/sessions/s');
    await until(async () => (await store.record.tail('s')).last >= 2);
    expect(await remove(token)).toMatchObject({ status: 409, body: { code: 'SESSION_CONNECTED' } });
    await agent.transport.close();
    await until(async () => (await store.sessions.get('s'))?.state === 'exited');
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    expect((await remove(await tokenFor(store, { scope: 'drive' }))).status).toBe(403);
    expect(await remove(token)).toMatchObject({ status: 200, body: { removed: 's' } });
    await viewer.find(({ type, session }) => type === 'removed' && session === 's');
    expect((await call(hub.url, token, 'GET', '/api/sessions/s')).status).toBe(404);
    expect((await call(hub.url, body.token, 'GET', '/api/me')).status).toBe(401);
    expect((await remove(token)).status).toBe(404);
    const { items } = await store.audit.list({ session: 's' });
    expect(items[0]).toMatchObject({ what: 'remove session', author: { name: 'Ada' } });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    expect((await store.record.tail('s')).last).toBe(0);
  });

  it('[AP1560] tell by one position in which of them something has happened', async () => {
    const { hub, store, token } = await startTestHub();
    for (const id of ['a', 'b']) await call(hub.url, token, 'POST', '/api/sessions', { id });
    const after = (position: number, as = token) =>
      call(hub.url, as, 'GET', `/api/updates?after=${position}&limit=100`);
    const { body: all } = await after(0);
    expect(all).toMatchObject({ state: 'updates', isComplete: true });
    expect(all.items.map(({ session }: { session: string }) => session)).toEqual(['a', 'b']);
    await call(hub.url, token, 'POST', '/api/sessions/a/prompts', {
      clientId: 'one',
      content: 'say something',
    });
    await call(hub.url, token, 'DELETE', '/api/sessions/b');
    const { body } = await until(async () => {
      const page = await after(all.position);
      return page.body.items.length === 2 ? page : undefined;
    });
    expect(
      body.items.map(({ kind, session }: Record<string, string>) => `${kind} ${session}`).toSorted(),
    ).toEqual(['removed b', 'updated a']);
    expect((await after(body.position)).body).toMatchObject({ items: [], isComplete: true });
    expect((await after(body.position + 1000)).body).toMatchObject({ state: 'reset', position: 0 });
    expect((await after(-1)).status).toBe(400);
    const ofOne = await tokenFor(store, { scope: 'drive', session: 'a' });
    expect((await after(0, ofOne)).status).toBe(403);
  });

  it('[AP29] come in pages, and so does every list that grows: all of it, once, in order', async () => {
    const { hub, store, token } = await startTestHub();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await call(hub.url, token, 'POST', '/api/sessions', { id });
    for (const id of ids) await store.permissions.open('a', `r${id}`, { subtype: 'can_use_tool' });
    const all = async (path: string): Promise<unknown[]> => {
      const items = [];
      let after = '';
      do {
        const { body } = await call(hub.url, token, 'GET', `${path}limit=2${after}`);
        expect(body.items.length).toBeLessThanOrEqual(2);
        items.push(...body.items.map((item: Record<string, unknown>) => item.requestId ?? item.id));
        after = body.next === undefined ? '' : `&after=${body.next}`;
      } while (after !== '');
      return items;
    };
    expect(await all('/api/sessions?')).toEqual(ids.toReversed());
    expect(await all('/api/permissions?')).toEqual(ids.map((id) => `r${id}`));
    expect(await all('/api/devices?kind=agent&')).toHaveLength(ids.length);
    expect(await all('/api/devices?')).toEqual((await store.devices.list()).items.map(({ id }) => id));
    expect(await all('/api/audit?')).toEqual((await store.audit.list()).items.map(({ id }) => id));
  });

  it('[AP25] leave one hub as a file and enter another, line for line', async () => {
    const [here, there] = [await startTestHub(), await startTestHub()];
    const agent = await TestAgent.dial(`${here.hub.url}/ws/s`, here.token);
    for (let n = 0; n < 300; n += 1) await agent.say(assistant(`${n} ${'é'.repeat(500)}`));
    await until(async () => (await here.store.record.tail('s')).last >= 301);
    const exported = await fetch(`${here.hub.url}/api/sessions/s/export`, {
      headers: { authorization: `Bearer ${here.token}` },
    });
    expect(exported.headers.get('content-type')).toBe('application/jsonl');
    const file = await exported.text();
    const viewer = await TestViewer.connect(there.hub.url, there.token);
    await viewer.ask({ type: 'subscribe', session: '*' });
    const enter = (query: string, body: string, type = 'application/jsonl') =>
      fetch(`${there.hub.url}/api/sessions/import${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${there.token}`, 'content-type': type },
        body,
      });
    expect((await enter('?id=copy', file)).status).toBe(201);
    await viewer.find(({ type, session }) => type === 'session' && session.id === 'copy');
    const texts = async ({ store }: typeof here, id: string) =>
      (await store.record.window(id, 1)).entries.map((entry) => entry.kind === 'line' && entry.line.text());
    expect(await texts(there, 'copy')).toEqual(await texts(here, 's'));
    expect((await enter('?id=copy', file)).status).toBe(409);
    expect((await enter('?id=broken', file.slice(0, -20))).status).toBe(422);
    expect(await there.store.sessions.get('broken')).toBeUndefined();
    expect((await enter('', file, 'application/json')).status).toBe(415);
    expect((await call(here.hub.url, here.token, 'GET', '/api/sessions/none/export')).status).toBe(404);
  });
});
