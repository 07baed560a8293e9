import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import type { Answer } from '@signalbox/testing/hub/test-parts';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { SmallDisk } from './small-disk.ts';

const FULL = { status: 507, body: { code: 'STORE_FULL' } };

describe('a hub whose disk is full', () => {
  it('[AP44] neither delivers nor records a prompt twice that the agent got meanwhile', async () => {
    const hub = await SmallDisk.start();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, hub.token, { acknowledge: 'manual' });
    const confirm = (): void => {
      const { position } = agent.transport;
      if (position) agent.transport.acknowledge(position);
    };
    await until(async () => (await hub.call('GET', '/api/sessions/s')).body.state === 'idle');
    await hub.call('POST', '/api/sessions/s/prompts', { clientId: 'p1', content: 'once please' });
    await agent.hears(({ type }) => type === 'user');
    await hub.fill();
    confirm();
    // The hub cannot note that it has arrived, and finds it where it was.
    await hub.call('POST', '/api/sessions/s/prompts', { clientId: 'p2', content: 'x' });
    await hub.free();
    const waiting = async (): Promise<unknown[]> =>
      (await hub.call('GET', '/api/sessions/s/prompts')).body.items;
    await until(async () => (await waiting()).length === 0);
    await agent.play('done');
    await hub.call('POST', '/api/sessions/s/prompts', { clientId: 'p3', content: 'next' });
    await agent.hears(({ message }) => message?.content === 'next');
    confirm();
    expect(agent.prompts).toEqual(['once please', 'next']);
    const { entries } = (await hub.call('GET', '/api/sessions/s/events')).body;
    const people = entries.flatMap(({ message }: Answer['body']) =>
      message?.type === 'user' ? [message.message.content] : [],
    );
    expect(people).toEqual(['once please', 'next']);
  });

  it('[AP45] lets everybody in who may, goes on reading, says that it is not ready, and takes no title that it cannot keep', async () => {
    const hub = await SmallDisk.start();
    await hub.call('POST', '/api/sessions', { id: 's', title: 'before' });
    const grant = { person: 'Bob', name: 'phone', scope: 'drive' };
    const { token } = (await hub.call('POST', '/api/devices', grant)).body;
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200);
    await hub.fill();
    const ready = await fetch(`${hub.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, 'STORE_FULL\n']);
    // A token that was never seen before is one that would be noted as seen.
    for (const path of ['/api/sessions', '/api/sessions/s/events', '/api/permissions'])
      expect((await hub.call('GET', path, undefined, token)).status).toBe(200);
    expect(await hub.call('PATCH', '/api/sessions/s', { title: 'after' }, token)).toMatchObject(FULL);
    expect((await hub.call('GET', '/api/sessions/s')).body.title).toBe('before');
    await hub.free();
    expect((await hub.call('GET', '/api/sessions')).body.items[0].title).toBe('before');
    expect((await hub.call('PATCH', '/api/sessions/s', { title: 'after' }, token)).status).toBe(200);
    expect((await hub.call('GET', '/api/me', undefined, token)).body.lastSeenAt).toBeGreaterThan(0);
  });

  it('[AP46] refuses an answer at once, also while lines of the agent wait: it is open as before, and answered once when there is room', async () => {
    const hub = await SmallDisk.start();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, hub.token);
    await until(async () => (await hub.call('GET', '/api/sessions/s')).body.state === 'idle');
    await agent.ask('q');
    const open = async (): Promise<string[]> =>
      (await hub.call('GET', '/api/permissions')).body.items.map(
        ({ requestId }: Answer['body']) => requestId,
      );
    await until(async () => (await open()).length === 1);
    await hub.fill();
    const answer = (behavior: string): Promise<Answer> =>
      hub.call('POST', '/api/sessions/s/permissions/q/answer', { behavior });
    expect(await answer('deny')).toMatchObject(FULL);
    const saying = agent.say(assistant(`waits ${'x'.repeat(100_000)}`));
    await until(async () => (await fetch(`${hub.url}/readyz`)).status === 503);
    expect(await answer('deny')).toMatchObject(FULL);
    expect(await open()).toEqual(['q']);
    expect((await hub.call('GET', '/api/sessions/s')).body.state).toBe('asking');
    await hub.free();
    await saying;
    const allowed = await until(async () => {
      const said = await answer('allow');
      return said.status === 200 ? said : undefined;
    });
    expect(allowed.body).toMatchObject({ isFirst: true, permission: { state: 'answered' } });
    expect((await answer('deny')).body.isFirst).toBe(false);
    const { response } = await agent.hears((heard) => heard.response?.request_id === 'q');
    expect(response.response.behavior).toBe('allow');
    const recorded = async (): Promise<Answer['body'][]> =>
      (await hub.call('GET', '/api/sessions/s/events')).body.entries.map(
        ({ message }: Answer['body']) => message,
      );
    await until(async () => (await recorded()).some(({ type }) => type === 'assistant'));
    const answers = (await recorded()).filter(({ response: said }) => said?.request_id === 'q');
    expect(answers.map(({ response: said }) => said.response.behavior)).toEqual(['allow']);
    expect(agent.heard.filter((heard) => heard.response?.request_id === 'q')).toHaveLength(1);
    const { items } = (await hub.call('GET', '/api/audit?session=s')).body;
    expect(items.filter(({ subject }: Answer['body']) => subject === 'q')).toHaveLength(1);
  });
});
