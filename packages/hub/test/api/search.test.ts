import { prompt, reply, toolCall, toolResult } from '@signalbox/testing/hub/search-lines';
import { call, startTestHub, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { AGENT, ANN } from '../store/sample-record.ts';

async function hubWithTalk() {
  const { hub, store, token } = await startTestHub();
  await store.sessions.create('one', { title: 'Login', folder: '/work/one' });
  await store.sessions.create('two', { folder: '/work/two' });
  await store.commit({
    appends: [{ session: 'one', author: ANN, lines: [{ ...prompt('mend the login'), time: 1000 }] }],
  });
  const lines = [
    toolCall('t', 'Bash', { command: 'grep login src' }),
    toolResult('t', 'login.ts'),
    reply('The login works'),
  ];
  await store.commit({
    appends: [
      { session: 'two', author: AGENT, lines: lines.map((line, at) => ({ ...line, time: 2000 + at })) },
    ],
  });
  const search = (query: Record<string, string>, as = token) =>
    call(hub.url, as, 'GET', `/api/search?${new URLSearchParams(query).toString()}`);
  return { hub, store, token, search };
}

describe('search', () => {
  it('[AP1700] finds what was said in all sessions, newest first, with the session, the place and the words around it', async () => {
    const { search } = await hubWithTalk();
    const { status, body } = await search({ words: 'login' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ isComplete: true });
    expect(body.items).toMatchObject([
      { session: 'two', seq: 3, kind: 'said', title: null, folder: '/work/two', author: { by: 'agent' } },
      { session: 'two', seq: 2, kind: 'result', tool: 'Bash' },
      { session: 'two', seq: 1, kind: 'call', tool: 'Bash' },
      { session: 'one', seq: 1, kind: 'said', title: 'Login', folder: '/work/one', author: { name: 'Ann' } },
    ]);
    expect(body.items[0].excerpt).toEqual([
      { text: 'The ', isMatch: false },
      { text: 'login', isMatch: true },
      { text: ' works', isMatch: false },
    ]);
    const seqs = async (query: Record<string, string>): Promise<string[]> =>
      (await search({ words: 'login', ...query })).body.items.map(
        ({ session, seq }: { session: string; seq: number }) => `${session} ${seq}`,
      );
    expect(await seqs({ session: 'one' })).toEqual(['one 1']);
    expect(await seqs({ folder: '/work' })).toHaveLength(4);
    expect(await seqs({ folder: '/work/two', tool: 'bash' })).toEqual(['two 2', 'two 1']);
    expect(await seqs({ person: 'Ann' })).toEqual(['one 1']);
    expect(await seqs({ since: '1001', until: '2001' })).toEqual(['two 1']);
    const { body: first } = await search({ words: 'login', limit: '3' });
    expect(first.items).toHaveLength(3);
    expect(await seqs({ limit: '3', after: first.next })).toEqual(['one 1']);
  });

  it('[AP3851] tells where the turns of a session begin; of none that is not there, and to nobody who may not watch it', async () => {
    const { hub, store, token } = await hubWithTalk();
    const outline = (session: string, as = token) =>
      call(hub.url, as, 'GET', `/api/sessions/${session}/outline`);
    expect((await outline('one')).body).toEqual({
      items: [{ seq: 1, time: 1000, turns: 1, words: 'mend the login' }],
      isComplete: true,
    });
    expect(await outline('none')).toMatchObject({ status: 404, body: { code: 'STORE_SESSION_NOT_FOUND' } });
    const held = await tokenFor(store, { scope: 'watch', session: 'two' });
    expect((await outline('two', held)).body.items).toEqual([]);
    expect(await outline('one', held)).toMatchObject({ status: 403 });
  });

  it('[AP1701] tells one who is held to a session of that one alone, and refuses another', async () => {
    const { store, search } = await hubWithTalk();
    const held = await tokenFor(store, { scope: 'watch', session: 'one' });
    const { body } = await search({ words: 'login' }, held);
    expect(body.items.map(({ session }: { session: string }) => session)).toEqual(['one']);
    expect((await search({ words: 'login', folder: '/work/two' }, held)).body.items).toEqual([]);
    expect(await search({ words: 'login', session: 'two' }, held)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const watcher = await tokenFor(store, { scope: 'watch' });
    expect((await search({ words: 'login' }, watcher)).body.items).toHaveLength(4);
    expect((await search({ words: 'login' }, 'nobody')).status).toBe(401);
    await store.sessions.remove('two');
    expect((await search({ words: 'login' })).body.items).toHaveLength(1);
  });

  it('[AP1702] answers whatever is typed with hits, or with what is wrong, never with an error of the database', async () => {
    const { search } = await hubWithTalk();
    for (const words of [
      'login AND',
      '"login',
      'login OR (',
      "login'; DROP TABLE said",
      'NEAR(login',
      'text:login*',
      '-login',
    ])
      expect([words, (await search({ words })).status]).toEqual([words, 200]);
    for (const words of ['"', '***', '=> {}', ' '])
      expect(await search({ words })).toMatchObject({ status: 400, body: { code: 'STORE_ARGUMENT' } });
    const invalid = [
      {},
      { words: '' },
      { words: 'x'.repeat(1001) },
      { words: 'a', limit: '0' },
      { words: 'a', limit: '101' },
      { words: 'a', since: 'yesterday' },
      { words: 'a', session: '../x' },
    ];
    for (const query of invalid)
      expect(await search(query)).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
    expect(await search({ words: 'login', after: 'x' })).toMatchObject({ status: 400 });
  });
});
