import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

const PROMPTS = '/api/sessions/s/prompts';

describe('prompts', () => {
  it('[HB30] are admitted once for each client id, before there is an agent, and delivered in order', async () => {
    const { hub, store, token, post } = await stage();
    const first = await post('p1', 'one');
    const again = await post('p1', 'one');
    expect(again.body).toEqual(first.body);
    await post('p2', 'two');
    expect((await call(hub.url, token, 'GET', PROMPTS)).body.items).toMatchObject([
      { content: 'one' },
      { content: 'two' },
    ]);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const { uuid } = await agent.hears(({ type }) => type === 'user');
    expect(uuid).toBe(first.body.id);
    await agent.play('one done');
    await agent.hears(({ message }) => message?.content === 'two');
    expect(agent.prompts).toEqual(['one', 'two']);
    await until(async () => (await store.inbox.list('s')).length === 0);
    expect((await post('p1', 'one')).body).toMatchObject({ content: 'one', state: 'delivered' });
  });

  it('[HB31] wait for the end of a turn; one that steers does not', async () => {
    const { hub, token, post } = await stage();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await post('p1', 'one');
    await agent.hears(({ message }) => message?.content === 'one');
    await post('p2', 'two');
    await post('p3', 'quick', 'steer');
    await agent.hears(({ message }) => message?.content === 'quick');
    expect(agent.prompts).toEqual(['one', 'quick']);
    await agent.play('done');
    await agent.hears(({ message }) => message?.content === 'two');
    expect(agent.prompts).toEqual(['one', 'quick', 'two']);
  });

  it('[HB32] can be changed and cancelled while they wait, and not later; viewers see it', async () => {
    const { hub, token, post } = await stage();
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    const [one, two] = [await post('p1', 'one'), await post('p2', 'two')];
    const edited = await call(hub.url, token, 'PATCH', `${PROMPTS}/${two.body.id}`, { content: 'changed' });
    expect(edited.body).toMatchObject({ content: 'changed', state: 'waiting' });
    expect((await call(hub.url, token, 'DELETE', `${PROMPTS}/${one.body.id}`)).body.state).toBe('cancelled');
    await viewer.find(({ prompt }) => prompt?.id === one.body.id && prompt.state === 'cancelled');
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await agent.hears(({ message }) => message?.content === 'changed');
    await viewer.find(({ prompt }) => prompt?.id === two.body.id && prompt.state === 'delivered');
    expect(agent.prompts).toEqual(['changed']);
    expect(await call(hub.url, token, 'PATCH', `${PROMPTS}/${two.body.id}`, { content: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'PROMPT_NOT_WAITING' },
    });
  });

  it('[HB33] that were under way when the link ended go again with the same uuid, unless they had an effect', async () => {
    const { hub, store, token, post } = await stage();
    await post('p1', 'one');
    // Taken, and in the record, as by a hub that was killed before the agent had it.
    const prompt = await store.inbox.take('s');
    const line = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: 'one' },
      uuid: prompt?.id,
    });
    const author = { by: 'person', name: 'Ada', device: 'laptop' } as const;
    await store.commit({ appends: [{ session: 's', author, lines: [{ bytes: Buffer.from(line) }] }] });
    await hub.close();

    const next = await startTestHub({ store });
    const agent = await TestAgent.dial(`${next.hub.url}/ws/s`, token);
    expect((await agent.hears(({ type }) => type === 'user')).uuid).toBe(prompt?.id);
    await until(async () => (await store.inbox.list('s')).length === 0);
    const { entries } = await store.record.window('s', 1);
    expect(
      entries.filter((entry) => entry.kind === 'line' && entry.line.head().type === 'user'),
    ).toHaveLength(1);
  });

  it('[HB74] that steer go again when the hub was killed, whatever the turn said that ran; not when the agent names them', async () => {
    const { hub, store, token, post } = await stage();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const author = { by: 'person', name: 'Ada', device: 'laptop' } as const;
    await post('p1', 'long job');
    await agent.hears(({ message }) => message?.content === 'long job');
    await until(async () => (await store.inbox.list('s')).length === 0);
    await hub.close();
    const [lost, had] = [crypto.randomUUID(), crypto.randomUUID()];
    const user = (uuid: string, content: string): string =>
      JSON.stringify({ type: 'user', message: { role: 'user', content }, uuid });
    const replay = { type: 'user', message: { role: 'user', content: 'had' }, uuid: had, isReplay: true };
    const result = { type: 'result', subtype: 'success', result: 'x', session_id: 'a' };
    // Taken, and in the record, as by a hub that was killed before it knew whether the agent had them.
    for (const [clientId, content] of [
      [lost, 'lost'],
      [had, 'had'],
    ] as const) {
      await store.inbox.admit({ session: 's', clientId, author, content, delivery: 'steer' });
      await store.inbox.take('s');
      const line = { bytes: Buffer.from(user(clientId, content)) };
      await store.commit({ appends: [{ session: 's', author, lines: [line] }] });
      if (content === 'lost') {
        const later = [assistant('still working'), result].map((message) => JSON.stringify(message));
        const lines = later.map((text) => ({ bytes: Buffer.from(text) }));
        await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines }] });
        const next = await startTestHub({ store, port: hub.port });
        await agent.hears(({ uuid }) => uuid === lost);
        await until(async () => (await store.inbox.list('s')).length === 0);
        await next.hub.close();
      } else {
        const lines = [{ bytes: Buffer.from(JSON.stringify(replay)) }];
        await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines }] });
      }
    }
    await startTestHub({ store, port: hub.port });
    await until(async () => (await store.inbox.list('s')).length === 0);
    expect(agent.prompts).toEqual(['long job', 'lost']);
    const { entries } = await store.record.window('s', 1);
    const recorded = entries.filter((entry) => entry.kind === 'line' && entry.line.head().uuid === lost);
    expect(recorded).toHaveLength(1);
  });

  it('[HB75] are not taken for others of the same client id: of somebody else, or with other words', async () => {
    const { hub, store, token, post } = await stage();
    const first = await post('1', 'run the tests');
    const bob = await tokenFor(store, { person: 'Bob' });
    const refused = { status: 409, body: { code: 'PROMPT_ID_TAKEN' } };
    expect(await post('1', 'deploy')).toMatchObject(refused);
    const others = await call(hub.url, bob, 'POST', PROMPTS, { clientId: '1', content: 'run the tests' });
    expect(others).toMatchObject(refused);
    const viewer = await TestViewer.connect(hub.url, bob);
    const said = viewer.ask({ type: 'user-message', session: 's', id: '1', content: 'deploy' });
    expect(await said).toMatchObject({ type: 'error', code: 'PROMPT_ID_TAKEN' });
    await call(hub.url, token, 'PATCH', `${PROMPTS}/${first.body.id}`, { content: 'run all tests' });
    expect((await post('1', 'run the tests')).body).toMatchObject({
      id: first.body.id,
      content: 'run all tests',
    });
    expect(await store.inbox.list('s')).toHaveLength(1);
  });

  it('[HB34] that had an effect before the hub was killed are never sent again', async () => {
    const { hub, store, token, post } = await stage();
    await post('p1', 'one');
    const prompt = await store.inbox.take('s');
    const author = { by: 'person', name: 'Ada', device: 'laptop' } as const;
    const line = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: 'one' },
      uuid: prompt?.id,
    });
    const effect = JSON.stringify({ type: 'system', subtype: 'init', session_id: 'a' });
    await store.commit({
      appends: [
        { session: 's', author, lines: [{ bytes: Buffer.from(line) }] },
        { session: 's', author: { by: 'agent' }, lines: [{ bytes: Buffer.from(effect) }] },
      ],
    });
    await hub.close();

    const next = await startTestHub({ store });
    const agent = await TestAgent.dial(`${next.hub.url}/ws/s`, token);
    await until(async () => (await store.inbox.list('s')).length === 0);
    await call(next.hub.url, token, 'POST', PROMPTS, { clientId: 'p2', content: 'two' });
    await agent.hears(({ message }) => message?.content === 'two');
    expect(agent.prompts).toEqual(['two']);
  });
});

async function stage() {
  const { hub, store, token } = await startTestHub();
  await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
  const post = (clientId: string, content: string, delivery = 'queue') =>
    call(hub.url, token, 'POST', PROMPTS, { clientId, content, delivery });
  return { hub, store, token, post };
}
