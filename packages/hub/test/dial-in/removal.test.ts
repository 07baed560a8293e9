import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('a session that is removed', () => {
  it('[HB1002] does not meet an agent half way: one that dials meanwhile has a session of its own, whose record goes on', async () => {
    const { hub, store, token } = await startTestHub();
    await store.sessions.create('s', { state: 'disconnected', title: 'the one before' });
    const { commit } = store;
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    store.commit = async (change) => {
      if (change.effects?.some(({ kind }) => kind === 'remove-session')) {
        begin();
        await held;
      }
      return commit(change);
    };
    const removed = call(hub.url, token, 'DELETE', '/api/sessions/s');
    await begun;
    const dialled = TestAgent.dial(`${hub.url}/ws/s`, token);
    // Whatever the dial-in does before the removal is through, it has done by then.
    await call(hub.url, token, 'GET', '/api/sessions');
    goOn();
    expect((await removed).status).toBe(200);
    const agent = await dialled;
    await agent.say(assistant('after'));
    const texts = async (): Promise<string[]> => {
      const { entries } = await store.record.tail('s');
      return entries.map((entry) => (entry.kind === 'line' ? entry.line.text() : ''));
    };
    await until(async () => (await texts()).some((text) => text.includes('after')));
    const session = (await call(hub.url, token, 'GET', '/api/sessions/s')).body;
    expect(session.title).not.toBe('the one before');
    expect((await call(hub.url, token, 'DELETE', '/api/sessions/s')).body.code).toBe('SESSION_CONNECTED');
  });

  it('[HB1002] is there as before when it could not be removed, and is removed once however many ask', async () => {
    const { hub, store, token } = await startTestHub();
    await store.sessions.create('s', { state: 'disconnected' });
    const { commit } = store;
    store.commit = async (change) => {
      store.commit = commit;
      throw Object.assign(new Error('refused'), change);
    };
    const remove = async (): Promise<number> =>
      (await call(hub.url, token, 'DELETE', '/api/sessions/s')).status;
    expect(await remove()).toBe(500);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await call(hub.url, token, 'GET', '/api/sessions/s')).body.state === 'idle');
    await agent.transport.close();
    await until(async () => (await call(hub.url, token, 'GET', '/api/sessions/s')).body.state === 'exited');
    expect((await Promise.all([remove(), remove(), remove()])).toSorted((one, other) => one - other)).toEqual(
      [200, 404, 404],
    );
  });
});
