import { join } from 'node:path';
import { type Answer, call, startTestHub, temporaryFolder } from '@signalbox/testing/hub/test-parts';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

/** From now on the store takes everything but entries of the audit log. */
function refuseAudit(file: string): void {
  const database = new Libsql(file);
  database.exec(
    `CREATE TRIGGER refuse_audit BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  database.close();
}

describe('an action and its audit entry', () => {
  it('[HB1000] are one commit: what is refused was not done', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    const before = await openSqliteStore(file);
    await before.sessions.create('s', { title: 'before', state: 'disconnected' });
    const author = { by: 'person', name: 'Ada', device: 'laptop' } as const;
    const prompt = await before.inbox.admit({
      session: 's',
      clientId: 'p',
      author,
      content: 'as it was',
      delivery: 'queue',
    });
    const phone = await before.devices.add({ person: 'Bob', name: 'phone', scope: 'watch', session: null });
    await before.close();
    refuseAudit(file);

    const { hub, store, token } = await startTestHub({ store: await openSqliteStore(file) });
    const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
      call(hub.url, token, method, path, body);
    const devices = async (): Promise<number> => (await store.devices.list()).items.length;
    const known = await devices();
    const link = { person: 'Bob', name: 'tablet', scope: 'watch' };
    const refused = [
      await ask('PATCH', '/api/sessions/s', { title: 'after' }),
      await ask('PATCH', `/api/sessions/s/prompts/${prompt.id}`, { content: 'another' }),
      await ask('DELETE', `/api/sessions/s/prompts/${prompt.id}`),
      await ask('POST', '/api/sessions', { id: 'new' }),
      await ask('POST', '/api/devices', link),
      await ask('DELETE', `/api/devices/${phone.device.id}`),
      await ask('DELETE', '/api/sessions/s'),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [500, 'STORE_FAILED']),
    );
    expect((await ask('GET', '/api/sessions/s')).body.title).toBe('before');
    expect(await store.inbox.list('s')).toMatchObject([{ content: 'as it was', state: 'waiting' }]);
    expect(await store.sessions.get('new')).toBeUndefined();
    expect(await devices()).toBe(known);
    expect(await store.devices.authenticate(phone.token)).toMatchObject({ name: 'phone' });
    expect((await ask('GET', '/api/sessions')).body.items).toHaveLength(1);
  });
});
