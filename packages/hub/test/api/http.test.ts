import { once } from 'node:events';
import { connect } from 'node:net';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

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
      await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines: [{ bytes }] }] });
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

  it('[AP320] the scope is known before a body is read, and few bodies may be long', async () => {
    const { hub, store, token } = await startTestHub();
    await store.sessions.create('s');
    const watch = await tokenFor(store, { scope: 'watch' });
    const start = (path: string, bearer: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${bearer}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    // Nothing of the body is ever sent, and yet there is an answer.
    for (const path of ['prompts', 'control', 'permissions/r/answer', 'stop'])
      expect(await say(hub.port, start(`/api/sessions/s/${path}`, watch, 1000))).toMatch(/^HTTP\/1.1 403/);
    expect(await say(hub.port, start('/api/sessions/s/control', token, 2_000_000))).toMatch(/^HTTP\/1.1 413/);
    const content = 'x'.repeat(2_000_000);
    const prompt = { clientId: '1', content };
    expect((await call(hub.url, token, 'POST', '/api/sessions/s/prompts', prompt)).status).toBe(201);
    const values = {
      clientId: '2',
      content: Array.from({ length: 60_000 }, () => ({ type: 'text', text: '' })),
    };
    const refused = await call(hub.url, token, 'POST', '/api/sessions/s/prompts', values);
    expect([refused.status, refused.body.code]).toEqual([413, 'TOO_MANY_VALUES']);
    const quoted = { clientId: '3', content: '"[,'.repeat(500_000) };
    expect((await call(hub.url, token, 'POST', '/api/sessions/s/prompts', quoted)).status).toBe(201);
  });

  it('[AP321] two Host headers are refused, and so is an upgrade that leads nowhere', async () => {
    const { hub, token } = await startTestHub();
    const hosts = 'Host: 127.0.0.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await say(hub.port, `GET /healthz HTTP/1.1\r\n${hosts}`)).toMatch(
      /^HTTP\/1.1 400[^]*REQUEST_INVALID/,
    );
    const posted = await say(hub.port, `POST /session/s/events HTTP/1.1\r\n${hosts}`);
    expect(posted).toMatch(/^HTTP\/1.1 400[^]*REQUEST_INVALID/);
    const socket = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    expect(await say(hub.port, `GET // HTTP/1.1\r\n${socket}\r\n`)).toMatch(/^HTTP\/1.1 401/);
    const bearer = `Authorization: Bearer ${token}\r\n`;
    for (const path of ['//', '//x', 'http://127.0.0.1/ws/s', '/ws/%zz'])
      expect(await say(hub.port, `GET ${path} HTTP/1.1\r\n${socket}${bearer}\r\n`)).toMatch(
        /^HTTP\/1.1 404[^]*DOOR_NOT_FOUND/,
      );
  });

  it('[AP321] an upgrade to another protocol is ignored', async () => {
    const { hub, token } = await startTestHub();
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n`;
    expect(await say(hub.port, `GET /api/sessions HTTP/1.1\r\n${head}\r\n`)).toMatch(
      /^HTTP\/1.1 200[^]*"items":\[\]/,
    );
    const posted = `POST /api/sessions HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`;
    expect(await say(hub.port, posted)).toMatch(/^HTTP\/1.1 400[^]*REQUEST_INVALID/);
  });

  it('[AP322] a refused upgrade is let go of, also when the client keeps its half open', async () => {
    const { hub } = await startTestHub();
    const socket = connect({ port: hub.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.resume();
    socket.write(
      'GET /ws/s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await once(socket, 'end');
    // Whoever is gone for good answers with a reset.
    const writing = setInterval(() => socket.write('x'), 50);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(writing);
  });
});
