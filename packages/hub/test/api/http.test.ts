import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { call, startTestHub, until } from '../server/test-parts.ts';

/** Say these bytes to the hub; gives all that it answers until it closes. */
async function say(port: number, ...bytes: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  for (const text of bytes) socket.write(text);
  await once(socket, 'close');
  return heard;
}

describe('over HTTP', () => {
  it('[AP60] every method and path gets an answer of its own, and those that lead nowhere say so', async () => {
    const { hub, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 'a:b' });
    const headers = { authorization: `Bearer ${token}` };
    const ask = (path: string, method = 'GET') => fetch(`${hub.url}${path}`, { method, headers });
    const found = await ask(`/api/sessions/${encodeURIComponent('a:b')}`);
    expect(await found.json()).toMatchObject({ id: 'a:b' });
    const head = await ask('/api/sessions', 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(2);
    for (const [path, method] of [
      ['/api/sessions/%E0%A4%A', 'GET'],
      ['/api/nothing', 'GET'],
      ['/api/sessions/', 'GET'],
      ['/healthz', 'DELETE'],
      ['/api/sessions', 'PUT'],
    ] as const) {
      const answer = await ask(path, method);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toMatchObject({ status: 404, code: 'ROUTE_NOT_FOUND' });
    }
    const elsewhere = 'GET http://127.0.0.1/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
    expect(await say(hub.port, elsewhere)).toMatch(/^HTTP\/1.1 404/);
  });

  it('[AP61] one who leaves in the middle of a body or of an answer harms nobody', async () => {
    const { hub, store, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const bytes = Buffer.from(JSON.stringify({ type: 'note', long: 'x'.repeat(1024 * 1024) }));
    for (let n = 0; n < 50; n += 1)
      await store.record.append([{ session: 's', author: { by: 'agent' }, lines: [{ bytes }] }]);
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`;
    const reader = connect(hub.port, '127.0.0.1');
    reader.write(`GET /api/sessions/s/export HTTP/1.1\r\n${head}\r\n`);
    await once(reader, 'data');
    reader.resetAndDestroy();
    const writer = connect(hub.port, '127.0.0.1');
    writer.write(
      `POST /api/sessions HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await until(async () => writer.bytesWritten > 100);
    writer.resetAndDestroy();
    const { body } = await call(hub.url, token, 'GET', '/api/sessions');
    expect(body.items).toHaveLength(1);
    const whole = await fetch(`${hub.url}/api/sessions/s/export`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await whole.text()).length).toBeGreaterThan(50 * bytes.length);
  });
});
