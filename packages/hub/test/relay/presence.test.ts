import { RELAY_STATUS } from '@signalbox/protocol';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';
import { TestFrontend } from './test-frontend.ts';

describe('who watches', () => {
  it("[LV9] are also those who listen in the agent's own words, until they leave", async () => {
    const { hub, store, token } = await startTestHub();
    await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    const watching = async (): Promise<string[]> => {
      const { items } = (await call(hub.url, token, 'GET', '/api/sessions/s/viewers')).body;
      return items.map(({ person }: { person: string }) => person);
    };
    const names = (): string[] => {
      const seen: string[] = [];
      for (const { type, joined, left, viewers } of viewer.told) {
        if (type === 'snapshot') seen.splice(0, seen.length, ...viewers.map(nameOf));
        if (type !== 'presence') continue;
        for (const name of left.map(nameOf)) seen.splice(seen.indexOf(name), 1);
        seen.push(...joined.map(nameOf));
      }
      return seen;
    };
    const nameOf = ({ person }: { person: string }): string => person;
    const tokenOf = (person: string) => tokenFor(store, { person, scope: 'watch' });
    const host = await TestFrontend.connect(`${hub.url}/api/sessions/s/wire`, {
      token: await tokenOf('Host'),
    });
    await until(() => names().length === 2);
    const frontend = await TestFrontend.connect(`${hub.url}/ws`, { token: await tokenOf('Frontend') });
    await until(() => names().length === 3);
    expect(names()).toEqual(['Ada', 'Host', 'Frontend']);
    expect(await watching()).toEqual(['Ada', 'Host', 'Frontend']);
    for (const { socket } of [host, frontend]) socket.terminate();
    await until(() => names().length === 1);
    expect(await watching()).toEqual(['Ada']);
  });

  it('[RY842] forget a session that was removed: another one of its name is a new one to them', async () => {
    const { hub, store, token } = await startTestHub();
    const stateOf = async (id: string) => (await store.sessions.get(id))?.state;
    const frontend = await TestFrontend.connect(`${hub.url}/ws`, { token });
    const first = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(() => frontend.statuses.includes(RELAY_STATUS.connected));
    await first.transport.close();
    await until(async () => (await stateOf('s')) === 'exited');
    expect((await call(hub.url, token, 'DELETE', '/api/sessions/s')).status).toBe(200);
    await TestAgent.dial(`${hub.url}/ws/other`, token);
    await until(() => frontend.statuses.filter((text) => text === RELAY_STATUS.connected).length === 2);
    await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(() => frontend.statuses.filter((text) => text === RELAY_STATUS.connected).length === 3);
  });
});
