import { readFileSync } from 'node:fs';
import { startTestHub, temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

describe('requests with an idempotency key', () => {
  it('[AP20] repeated, get the first answer and do nothing twice, also after a restart of the hub', async () => {
    const store = await openSqliteStore(`${temporaryFolder()}/hub.db`);
    const { hub, token } = await startTestHub({ store });
    const body = { person: 'Bob', name: 'phone', scope: 'watch' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(hub.url, token, 'k1', body)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    await hub.close();
    const next = await startTestHub({ store });
    expect(await post(next.hub.url, token, 'k1', body)).toEqual(answers[0]);
    expect((await store.devices.list()).items.filter(({ person }) => person === 'Bob')).toHaveLength(1);
  });

  it('[AP21] belong to one request of one device; what failed may be tried again', async () => {
    const { hub, store, token } = await startTestHub();
    const body = { person: 'Bob', name: 'phone', scope: 'watch' };
    await post(hub.url, token, 'k', body);
    for (const [path, other] of [
      ['/api/devices', { ...body, scope: 'drive' }],
      ['/api/sign-in-links', body],
    ] as const) {
      const reused = await post(hub.url, token, 'k', other, path);
      expect([reused.status, reused.text]).toEqual([422, expect.stringContaining('IDEMPOTENCY_KEY_REUSED')]);
    }
    expect((await post(hub.url, token, 'x'.repeat(201), body)).status).toBe(400);
    const another = await tokenFor(store);
    expect((await post(hub.url, another, 'k', body)).status).toBe(201);
    expect((await store.devices.list()).items.filter(({ person }) => person === 'Bob')).toHaveLength(2);
    const prompt = { clientId: 'c', content: 'x' };
    const sayLater = () => post(hub.url, token, 'later', prompt, '/api/sessions/s/prompts');
    expect((await sayLater()).status).toBe(404);
    await post(hub.url, token, 'make', { id: 's' }, '/api/sessions');
    expect((await sayLater()).status).toBe(201);
  });

  it('[AP22] keep no token and no prompt readable in the database', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore(`${folder}/hub.db`);
    const { hub, token } = await startTestHub({ store });
    const made = await post(hub.url, token, 'k', { person: 'Bob', name: 'phone', scope: 'watch' });
    const { token: given } = JSON.parse(made.text);
    await hub.close();
    await store.close();
    const bytes = readFileSync(`${folder}/hub.db`);
    expect(bytes.includes('Bob')).toBe(true);
    for (const secret of [token, given, given.split('.')[1]]) expect(bytes.includes(secret)).toBe(false);
  });
});

async function post(
  url: string,
  token: string,
  key: string,
  body: unknown,
  path = '/api/devices',
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}
