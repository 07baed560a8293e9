import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

describe('what an agent asked that is gone', () => {
  it('[HB91] has expired, for whoever watches and in the audit log, and takes no answer', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    await agent.ask('early');
    await until(async () => (await store.permissions.get('s', 'early'))?.state === 'open');
    // On its way into the record when the agent leaves.
    await agent.ask('late');
    await agent.transport.close();
    for (const id of ['early', 'late'])
      await viewer.find(({ permission }) => permission?.requestId === id && permission.state === 'expired');
    expect((await store.permissions.listOpen()).items).toEqual([]);
    const { items } = await store.audit.list({ session: 's' });
    expect(items.filter(({ what }) => what === 'expired')).toMatchObject([
      { author: { by: 'hub' } },
      { author: { by: 'hub' } },
    ]);
    const answered = await call(hub.url, token, 'POST', '/api/sessions/s/permissions/early/answer', {
      behavior: 'allow',
    });
    expect(answered.body).toMatchObject({ isFirst: false, permission: { state: 'expired' } });
    expect((await store.sessions.get('s'))?.state).toBe('exited');
  });

  it('[HB92] is over when a hub starts that was killed before it came to that', async () => {
    const { hub, store } = await startTestHub();
    await hub.close();
    for (const [id, state] of [
      ['gone', 'exited'],
      ['away', 'idle'],
    ] as const) {
      await store.sessions.create(id, { state });
      await store.permissions.open(id, 'r', { subtype: 'can_use_tool' });
    }
    const next = await startTestHub({ store });
    const { items } = (await call(next.hub.url, next.token, 'GET', '/api/permissions')).body;
    expect(items).toMatchObject([{ session: 'away' }]);
    expect((await store.permissions.get('gone', 'r'))?.state).toBe('expired');
  });
});
