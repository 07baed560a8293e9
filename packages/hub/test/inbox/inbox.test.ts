import { describe, expect, it } from 'vitest';
import { TestAgent } from '../dial-in/test-agent.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { call, startTestHub, until } from '../server/test-parts.ts';

const PROMPTS = '/api/sessions/s/prompts';

describe('prompts', () => {
  it('[HB30] are admitted once for each client id, before there is an agent, and delivered in order', async () => {
    const { hub, store, token, post } = await stage();
    const first = await post('p1', 'one');
    const again = await post('p1', 'another');
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
    expect((await post('p1', 'late')).body).toMatchObject({ content: 'one', state: 'delivered' });
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
    await store.record.append([{ session: 's', author, lines: [{ bytes: Buffer.from(line) }] }]);
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
    await store.record.append([
      { session: 's', author, lines: [{ bytes: Buffer.from(line) }] },
      { session: 's', author: { by: 'agent' }, lines: [{ bytes: Buffer.from(effect) }] },
    ]);
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
