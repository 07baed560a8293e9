import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, type TestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('when a session changed', () => {
  it('[LV12] is when something was said or asked, it was named, or it ended; not when a connection came or went', async () => {
    const { hub, store, token } = await startTestHub();
    const stateIs = (state: string) => until(async () => (await store.sessions.get('s'))?.state === state);
    const changedAt = async (): Promise<number> => (await store.sessions.get('s'))?.updatedAt ?? 0;
    /** Whether the session changed while this was done. */
    const changes = async (work: () => Promise<unknown>): Promise<boolean> => {
      const before = await changedAt();
      // A change within the same millisecond would not be seen.
      await until(() => Date.now() > before);
      await work();
      return (await changedAt()) > before;
    };
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token, {
      reconnect: { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 50, maxDelayMs: 200 },
    });
    await stateIs('idle');
    await agent.play('hello');
    await until(async () => (await store.record.tail('s')).last >= 4);
    await stateIs('idle');

    const comesBack = async (): Promise<void> => {
      await hub.close();
      await stateIs('disconnected');
      await startTestHub({ store, port: hub.port });
      await stateIs('idle');
    };
    expect(await changes(comesBack)).toBe(false);
    const asks = async (): Promise<void> => {
      await agent.ask('r');
      await stateIs('asking');
    };
    expect(await changes(asks)).toBe(true);
    const rename = () => call(hub.url, token, 'PATCH', '/api/sessions/s', { title: 'Better' });
    expect(await changes(rename)).toBe(true);
    const leaves = async (): Promise<void> => {
      await agent.transport.close();
      await stateIs('exited');
    };
    expect(await changes(leaves)).toBe(true);
  });

  it('[LV12] survives a hub that was killed: it marks sessions as disconnected and leaves their time', async () => {
    const first = await startTestHub();
    await first.hub.close();
    const { store } = first;
    await store.sessions.create('s', { state: 'active' });
    const { updatedAt } = await store.sessions.update('s', { title: 'Old' }, 1000);
    expect(updatedAt).toBe(1000);
    const { hub, token } = await startTestHub({ store });
    const { body } = await call(hub.url, token, 'GET', '/api/sessions/s');
    expect(body).toMatchObject({ state: 'disconnected', updatedAt: 1000 });
  });

  it('[HB430] has what the record says of it, also when the hub was killed before it had stored that', async () => {
    const first = await startTestHub();
    await first.hub.close();
    const { store } = first;
    await store.sessions.create('s', { state: 'active' });
    await store.sessions.update('s', { mode: 'plan', folder: '/old' }, 1000);
    const line = (cwd: string, time: number) => ({
      bytes: Buffer.from(JSON.stringify({ type: 'system', subtype: 'init', cwd, permissionMode: 'default' })),
      time,
    });
    const agent = { by: 'agent' } as const;
    await store.commit({ appends: [{ session: 's', author: agent, lines: [line('/older', 900)] }] });
    const known = await startTestHub({ store });
    const get = async ({ hub, token }: TestHub) =>
      (await call(hub.url, token, 'GET', '/api/sessions/s')).body;
    expect(await get(known)).toMatchObject({ mode: 'plan', folder: '/old' });
    await known.hub.close();
    await store.commit({ appends: [{ session: 's', author: agent, lines: [line('/new', 2000)] }] });
    const again = await startTestHub({ store });
    const session = await get(again);
    expect(session).toMatchObject({ mode: 'default', folder: '/new', updatedAt: 2000 });
    expect(await store.sessions.get('s')).toMatchObject({ folder: '/new', updatedAt: 2000 });
  });
});
