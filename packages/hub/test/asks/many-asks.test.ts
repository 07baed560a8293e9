import { LIMITS } from '@signalbox/protocol';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';

const MANY = 80;

/** An agent that asks much; `commits` has the effects and the number of lines of each commit from then on. */
async function stage() {
  const store = await openMemoryStore();
  const { hub, token } = await startTestHub({ store });
  await store.sessions.create('s');
  const agent = await TestAgent.dial(`${hub.url}/agent/s`, token);
  for (let n = 0; n < MANY; n += 1) await agent.ask(`r${n}`);
  await until(async () => (await store.permissions.countOpen()) === MANY);
  const commits: { closed: number; lines: number }[] = [];
  const commit = store.commit.bind(store);
  store.commit = (change) => {
    const closed = (change.effects ?? []).filter(({ kind }) => kind === 'close-permission').length;
    const lines = (change.appends ?? []).reduce((sum, append) => sum + append.lines.length, 0);
    commits.push({ closed, lines });
    return commit(change);
  };
  return { store, agent, commits };
}

describe('many questions', () => {
  it.each([
    ['begins anew', { type: 'bridge', subtype: 'started', command: ['c'], cwd: '/' }],
    ['leaves', undefined],
  ])(
    '[HB3160] of an agent that %s expire a few at a time, and before its line is stored',
    async (_name, line) => {
      const { store, agent, commits } = await stage();
      await (line ? agent.say(line) : agent.transport.close());
      await until(async () => (await store.permissions.countOpen()) === 0);
      const closing = commits.filter(({ closed }) => closed > 0);
      expect(Math.max(...closing.map(({ closed }) => closed))).toBeLessThanOrEqual(32);
      expect(closing.reduce((sum, { closed }) => sum + closed, 0)).toBe(MANY);
      if (line) {
        const itsLine = await until(() => commits.findIndex(({ lines }) => lines > 0) + 1);
        expect(closing.length).toBe(itsLine - 1);
      }
      const { items } = await store.permissions.listPast({ limit: LIMITS.openAsks.most });
      expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['expired']));
    },
  );

  it('[HB3810] an answer that comes while its question is being stored is the answer', async () => {
    const store = await openMemoryStore();
    const { hub, token } = await startTestHub({ store });
    await store.sessions.create('s');
    const agent = await TestAgent.dial(`${hub.url}/agent/s`, token);
    const commit = store.commit.bind(store);
    const answered: Promise<{ status: number; body: { permission: { state: string } } }>[] = [];
    store.commit = async (change) => {
      const committed = await commit(change);
      if (change.effects?.some(({ kind }) => kind === 'open-permission')) {
        const path = '/api/sessions/s/permissions/early/answer';
        answered.push(call(hub.url, token, 'POST', path, { behavior: 'allow' }));
        // Long enough for the answer to come before it is known that the question is stored.
        for (let n = 0; n < 20; n += 1) await call(hub.url, token, 'GET', '/api/me');
      }
      return committed;
    };
    await agent.ask('early');
    expect(await agent.hears(({ response }) => response?.request_id === 'early')).toMatchObject({
      response: { response: { behavior: 'allow' } },
    });
    expect(await answered[0]).toMatchObject({ status: 200, body: { permission: { state: 'answered' } } });
  });
});
