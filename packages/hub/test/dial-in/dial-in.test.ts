import { cpSync } from 'node:fs';
import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/store/record.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { TestViewer } from '../live/test-viewer.ts';

describe('dialling in', () => {
  it('[HB5] makes the session known: what it runs, where, and how it ended', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/agent/s`, token);
    await agent.say({
      type: 'bridge',
      subtype: 'started',
      bridge: 'b',
      pid: 1,
      agent_pid: 2,
      command: ['claude'],
      cwd: '/w',
      host: 'h',
    });
    await agent.play('x');
    await agent.say({
      type: 'bridge',
      subtype: 'exited',
      code: 3,
      signal: null,
      stderr: 'last words',
      descendants: 0,
    });
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    await agent.transport.close();
    await until(async () => (await store.sessions.get('s'))?.state === 'exited');
    expect(await store.sessions.get('s')).toMatchObject({
      agent: 'claude',
      folder: '/',
      model: 'm',
      exit: { code: 3, signal: null, stderr: 'last words' },
    });
  });

  it('[HB6] over a plain link works as well: greeted, prompted, and again after a drop', async () => {
    const { hub, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token, { lossless: false });
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p1', content: 'one' });
    await agent.hears(({ message }) => message?.content === 'one');
    // A plain link may lose the end of a turn with its connection: the next prompt must not wait for it.
    agent.greeting = { subtype: 'error', error: 'Already initialized', pending_permission_requests: [] };
    const again = await TestAgent.dial(`${hub.url}/ws/s`, token, {
      lossless: false,
      greeting: agent.greeting,
    });
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p2', content: 'two' });
    await again.hears(({ message }) => message?.content === 'two');
    expect(again.prompts).toEqual(['two']);
  });

  it('[HB7] at / makes a session, and goes on with it when the device has left no other', async () => {
    const { hub, store, token } = await startTestHub();
    const idle = async () => (await store.sessions.list({ states: ['idle'] })).items;
    const agent = await TestAgent.dial(`${hub.url}/`, token);
    await until(async () => (await idle()).length === 1);
    await agent.say(assistant('before'));
    const id = (await idle())[0]?.id ?? '';
    await until(async () => (await store.record.tail(id)).last >= 2);
    await hub.close();

    const next = await startTestHub({ store, port: hub.port });
    agent.greeting = { subtype: 'error', error: 'Already initialized', pending_permission_requests: [] };
    await agent.say(assistant('after'));
    await until(async () => (await store.record.tail(id)).entries.some((entry) => isSaid(entry, 'after')));
    expect((await store.sessions.list()).items).toHaveLength(1);
    await TestAgent.dial(`${next.hub.url}/`, token);
    await until(async () => (await store.sessions.list()).items.length === 2);
    const { token: bound } = await store.devices.add({
      kind: 'agent',
      person: 'agent',
      name: 'a',
      scope: 'watch',
      session: 'mine',
    });
    await TestAgent.dial(`${next.hub.url}/`, bound);
    await until(async () => (await store.sessions.get('mine'))?.state === 'idle');
  });

  it('[HB8] lines that an agent has forgotten and nobody got are a gap in the record, never passed over', async () => {
    const folder = temporaryFolder();
    const first = await openSqliteStore(`${folder}/hub.db`);
    const token = await tokenFor(first);
    await first.close();
    cpSync(`${folder}/hub.db`, `${folder}/old.db`);
    const store = await openSqliteStore(`${folder}/hub.db`);
    const { hub } = await startTestHub({ store });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    for (const text of ['one', 'two', 'three']) await agent.say(assistant(text));
    await until(async () => (await store.record.tail('s')).last >= 4);
    await hub.close();
    // The old copy is put back: it has nothing of what the agent was told is safe.
    const other = await startTestHub({ store: await openSqliteStore(`${folder}/old.db`), port: hub.port });
    await until(async () => {
      const session = await other.store.sessions.get('s');
      return session && (await other.store.record.tail('s')).last >= 1;
    });
    const { entries } = await other.store.record.tail('s');
    const notes = entries.flatMap((entry) =>
      entry.kind === 'line' && entry.author.by === 'hub' ? [entry.line.json()] : [],
    );
    expect(notes).toMatchObject([{ type: 'hub', subtype: 'gap', from: 1 }]);
  });

  it('[HB9] a line of 60 MB is taken; one over the limit ends the link, and the hub stays up', async () => {
    const store = await openSqliteStore(`${temporaryFolder()}/hub.db`);
    const { hub, token } = await startTestHub({ store });
    const own = await tokenFor(store);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, own);
    await agent.say(assistant('x'.repeat(60 * 1024 * 1024)));
    await until(async () => (await store.record.tail('s', 1)).last >= 2);
    const greedy = await TestAgent.dial(`${hub.url}/ws/s2`, own, { maxLineBytes: 200 * 1024 * 1024 });
    greedy.say(assistant('x'.repeat(70 * 1024 * 1024))).catch(() => {});
    await until(() => greedy.failure);
    expect((await call(hub.url, token, 'GET', '/api/sessions/s2')).status).toBe(200);
  });
});

function isSaid(entry: Entry, text: string): boolean {
  return entry.kind === 'line' && entry.line.text().includes(`"${text}"`);
}
