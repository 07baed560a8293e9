import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { type Answer, call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('who did what', () => {
  it('[HB83] is kept of every change to prompts, titles and agents, and who edits a prompt is its author', async () => {
    const { hub, store, token } = await startTestHub();
    const bob = await tokenFor(store, { person: 'Bob', name: 'phone', scope: 'drive' });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const prompts = '/api/sessions/s/prompts';
    const admit = (clientId: string): Promise<Answer> =>
      call(hub.url, token, 'POST', prompts, { clientId, content: 'as Ada wrote it' });
    const [first, second, third] = [await admit('1'), await admit('2'), await admit('3')].map(
      ({ body }) => body.id,
    );
    const content = 'as Bob wrote it';
    const edited = await call(hub.url, bob, 'PATCH', `${prompts}/${first}`, { content });
    expect(edited.body).toMatchObject({ content, author: { name: 'Bob', device: 'phone' } });
    const hurried = await call(hub.url, bob, 'PATCH', `${prompts}/${second}`, { delivery: 'steer' });
    expect(hurried.body).toMatchObject({ delivery: 'steer', author: { name: 'Ada' } });
    await call(hub.url, bob, 'DELETE', `${prompts}/${third}`);
    await call(hub.url, bob, 'PATCH', '/api/sessions/s', { title: 'as Bob calls it' });
    expect((await admit('1')).body).toMatchObject({ id: first, content });

    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await agent.hears(({ type }) => type === 'user');
    const control = (request: object): Promise<Answer> =>
      call(hub.url, token, 'POST', '/api/sessions/s/control?timeoutMs=1', request);
    await control({ subtype: 'set_permission_mode', mode: 'plan' });
    await control({ subtype: 'set_model', model: 'opus' });
    await control({ subtype: 'mcp_set_servers', servers: { a: {}, b: {} } });
    await control({ subtype: 'interrupt' });
    const { entries } = (await call(hub.url, token, 'GET', '/api/sessions/s/events')).body;
    const recorded = entries.find(({ message }: Answer['body']) => message.message?.content === content);
    expect(recorded.author).toMatchObject({ by: 'person', name: 'Bob', device: 'phone' });

    const { items } = (await call(hub.url, token, 'GET', '/api/audit?session=s')).body;
    const told = items.map(({ what, subject, author }: Answer['body']) => [what, subject, author.name]);
    expect(told.toReversed()).toEqual([
      ['create session', null, 'Ada'],
      ['edit prompt', first, 'Bob'],
      ['edit prompt', second, 'Bob'],
      ['cancel prompt', third, 'Bob'],
      ['rename', 'as Bob calls it', 'Bob'],
      ['set_permission_mode', 'plan', 'Ada'],
      ['set_model', 'opus', 'Ada'],
      ['mcp_set_servers', 'a, b', 'Ada'],
      ['interrupt', null, 'Ada'],
    ]);
  });

  it('[HB84] is told by device, also where two have one name; records of earlier versions have none', async () => {
    const { hub, store, token } = await startTestHub();
    const other = await tokenFor(store);
    const ids: string[] = [];
    for (const each of [token, other]) ids.push((await call(hub.url, each, 'GET', '/api/me')).body.id);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const prompt = { clientId: 'p', content: 'x' };
    const { body } = await call(hub.url, other, 'POST', '/api/sessions/s/prompts', prompt);
    await agent.hears(({ type }) => type === 'user');
    expect(body.author).toEqual({ by: 'person', name: 'Ada', device: 'laptop', deviceId: ids[1] });
    await agent.ask('r1');
    await until(async () => (await store.permissions.listOpen()).items.length === 1);
    await call(hub.url, token, 'POST', '/api/sessions/s/permissions/r1/answer', { behavior: 'allow' });
    const { items } = (await call(hub.url, token, 'GET', '/api/audit')).body;
    expect(items[0]).toMatchObject({ what: 'allow', author: { deviceId: ids[0] } });
    const old = { by: 'person', name: 'Ada', device: 'laptop' } as const;
    const bytes = Buffer.from('{"type":"user"}');
    await store.commit({ appends: [{ session: 's', author: old, lines: [{ bytes }] }] });
    const { entries } = (await call(hub.url, token, 'GET', '/api/sessions/s/events')).body;
    const people = entries.filter(({ author }: Answer['body']) => author?.by === 'person');
    expect(people.map(({ author }: Answer['body']) => author.deviceId)).toEqual([ids[1], ids[0], undefined]);
  });
});
