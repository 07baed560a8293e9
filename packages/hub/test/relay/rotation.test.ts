import {
  call,
  dialAgent,
  startModel,
  startTestHub,
  temporaryFolder,
  until,
} from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { LiveSessions } from '../../src/sessions/live-sessions.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

describe('rotation', () => {
  it('[RY20] an agent that starts over keeps its session; the record says which conversation followed which', async () => {
    const store = await openSqliteStore(`${temporaryFolder()}/hub.db`);
    const { hub, token } = await startTestHub({ store });
    const model = await startModel();
    dialAgent(`${hub.url.replace('http', 'ws')}/ws/s`, token, model.url);
    for (const [clientId, content] of [
      ['1', 'say one'],
      ['2', '/clear'],
      ['3', 'say two'],
    ])
      await until(async () => {
        const prompt = await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId, content });
        return prompt.status === 201;
      });
    const record = async (): Promise<Record<string, unknown>[]> => {
      const { body } = await call(hub.url, token, 'GET', '/api/sessions/s/events?from=1');
      return body.entries.map(({ message }: { message: unknown }) => message);
    };
    await until(async () => (await record()).some(({ result }) => result === 'two'));
    const messages = await record();
    const started = messages.filter(({ type, subtype }) => type === 'system' && subtype === 'init');
    const from = started[0]?.['session_id'];
    const to = started.at(-1)?.['session_id'];
    expect(to).not.toBe(from);
    const notes = await until(async () => {
      const found = (await record()).filter(({ type }) => type === 'hub');
      return found.length > 0 && found;
    });
    expect(notes).toEqual([{ type: 'hub', subtype: 'rotated', from, to }]);
    expect((await store.sessions.list()).items.map(({ id }) => id)).toEqual(['s']);
    // A hub that comes later knows by which name the agent can be resumed.
    const later = new LiveSessions(store, () => {});
    expect(await later.use('s', ({ agent }) => agent.session)).toBe(to);
  });
});
