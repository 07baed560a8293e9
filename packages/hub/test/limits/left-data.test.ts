import { join } from 'node:path';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { Log } from '../../src/base/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { nested } from './nested-json.ts';

describe('a database from before there were limits', () => {
  it('[HB305] what cannot be read is set aside with a word, and the hub starts with all the rest', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    await spoil(file);
    const store = await openSqliteStore(file);
    const warned: string[] = [];
    const log = new Log({ level: 'warn', write: (line) => warned.push(JSON.parse(line).session) });
    const { hub, token } = await startTestHub({ store, log });
    const api = (method: string, path: string, body?: unknown) => call(hub.url, token, method, path, body);
    expect(warned.toSorted()).toEqual(['deep', 'deep', 'deep', 'huge']);
    const { body: list } = await api('GET', '/api/sessions');
    expect(list.items.map(({ id, unread }: { id: string; unread?: true }) => [id, unread ?? false])).toEqual([
      ['good', false],
      ['prompted', false],
      ['facts', true],
      ['gone', false],
      ['huge', false],
      ['deep', false],
    ]);
    const open = await api('GET', '/api/permissions');
    expect(open.body.items.map(({ session }: { session: string }) => session)).toEqual(['good']);
    // Each of them can be looked at, and the one whose prompt cannot be read says so.
    for (const id of ['good', 'deep', 'huge', 'gone', 'facts'])
      expect((await api('GET', `/api/sessions/${id}`)).status).toBe(200);
    expect((await api('GET', '/api/sessions/prompted')).body).toMatchObject({ code: 'STORE_UNREADABLE' });
    const agent = await TestAgent.dial(`${hub.url}/ws/deep`, token);
    await until(async () => (await store.sessions.get('deep'))?.state === 'idle');
    await agent.ask('next');
    await until(async () => (await store.permissions.get('deep', 'next'))?.state === 'open');
    for (const id of ['facts', 'prompted'])
      expect((await api('DELETE', `/api/sessions/${id}`)).status).toBe(200);
  });
});

/** What was in the database of a hub that had no limits, and what a damaged disk may leave. */
async function spoil(file: string): Promise<void> {
  const store = await openSqliteStore(file);
  for (const id of ['deep', 'huge', 'gone', 'facts', 'prompted', 'good']) await store.sessions.create(id);
  await store.sessions.update('gone', { state: 'exited' });
  await store.permissions.open('good', 'q', { subtype: 'can_use_tool', tool_name: 'Bash', input: {} });
  await store.inbox.admit({
    session: 'prompted',
    clientId: 'p',
    author: { by: 'hub' },
    content: 'x',
    delivery: 'queue',
  });
  await store.close();
  const database = new Libsql(file);
  // No statement may outlive the connection: it would keep the file locked.
  const add = (session: string, id: string, request: string): unknown =>
    database.exec(
      `INSERT INTO permission (session, request_id, request, state, opened_at)
        VALUES ('${session}', '${id}', '${request}', 'open', 1)`,
    );
  for (const levels of [2000, 4000, 100_000])
    add('deep', `q${levels}`, `{"subtype":"can_use_tool","input":${nested(levels)}}`);
  add('huge', 'q', `{"subtype":"can_use_tool","input":{"text":"${'x'.repeat(50 * 1024 * 1024)}"}}`);
  add('gone', 'q', '{"subtype":"can_use_too');
  database.exec("UPDATE session SET facts = '{\"title\":' WHERE id = 'facts'");
  database.exec(`UPDATE prompt SET content = '${nested(3000)}'`);
  database.close();
}
