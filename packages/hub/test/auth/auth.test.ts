import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { protocolsFor } from '@signalbox/protocol/hub';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { browserOf, call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestViewer } from '../live/test-viewer.ts';

const GRANT = { person: 'Ada', name: 'browser', scope: 'drive', session: null } as const;

describe('who is let in', () => {
  it('[HB10] nobody without a token, at any route or socket', async () => {
    const { hub, token } = await startTestHub();
    const { paths } = (await call(hub.url, token, 'GET', '/api/openapi.json')).body;
    paths['/api/openapi.json'] = { get: {} };
    expect(Object.keys(paths).length).toBeGreaterThan(8);
    const open = [];
    for (const [path, operations] of Object.entries<Record<string, { security?: unknown }>>(paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        if (security) {
          open.push(path);
          continue;
        }
        const answer = await call(
          hub.url,
          'wrong.token',
          method.toUpperCase(),
          path.replaceAll(/[{}]/g, ''),
          undefined,
        );
        expect({ path, method, status: answer.status }).toEqual({ path, method, status: 401 });
        expect(JSON.stringify(answer.body)).not.toContain('wrong.token');
      }
    }
    // Links of notices bring a right of their own, for one question.
    const byNotice = ['/api/notice-answers/look', '/api/notice-answers'];
    expect(open).toEqual(['/api/sign-in', ...byNotice, '/healthz', '/readyz']);
    for (const path of ['/', '/ws/s', '/agent/s', '/api/stream', '/nowhere']) {
      for (const query of ['', '?token=wrong.token'])
        expect(await dial(`${hub.url}${path}${query}`)).toBe(401);
    }
  });

  it('[HB11] a token does what its scope says, in its session', async () => {
    const { hub, store, token } = await startTestHub();
    for (const id of ['s', 'other']) await call(hub.url, token, 'POST', '/api/sessions', { id });
    const prompt = async (held: string, session: string): Promise<number> => {
      const path = `/api/sessions/${session}/prompts`;
      const body = { clientId: crypto.randomUUID(), content: 'x' };
      return (await call(hub.url, held, 'POST', path, body)).status;
    };
    const allowed: Record<string, string[]> = {
      watch: [],
      approve: [],
      drive: ['prompt'],
      admin: ['prompt', 'devices'],
    };
    for (const scope of ['watch', 'approve', 'drive', 'admin'] as const) {
      const held = await tokenFor(store, { scope });
      const done = [];
      if ((await prompt(held, 's')) === 201) done.push('prompt');
      if ((await call(hub.url, held, 'GET', '/api/devices')).status === 200) done.push('devices');
      expect((await call(hub.url, held, 'GET', '/api/sessions')).status).toBe(200);
      expect(done).toEqual(allowed[scope]);
    }
    const bound = await tokenFor(store, { scope: 'drive', session: 's' });
    expect(await prompt(bound, 's')).toBe(201);
    expect(await prompt(bound, 'other')).toBe(403);
    expect((await call(hub.url, bound, 'GET', '/api/sessions/other/events')).status).toBe(403);
    expect((await call(hub.url, bound, 'GET', '/api/sessions')).body.items).toMatchObject([{ id: 's' }]);
  });

  it('[HB12] an agent dials in with the token of its session, and cannot answer what it asks itself', async () => {
    const { hub, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 'other' });
    expect(await dial(`${hub.url}/ws/other?token=${body.token}`)).toBe(403);
    const agent = await TestAgent.dial(`${hub.url}/ws/s?token=${body.token}`, '');
    await agent.ask('r1');
    await until(async () => (await call(hub.url, token, 'GET', '/api/permissions')).body.items.length === 1);
    const answer = await call(hub.url, body.token, 'POST', '/api/sessions/s/permissions/r1/answer', {
      behavior: 'allow',
    });
    expect(answer.status).toBe(403);
    expect(
      (await call(hub.url, body.token, 'POST', '/api/sessions/s/prompts', { clientId: 'p', content: 'x' }))
        .status,
    ).toBe(403);
  });

  it('[HB13] a revoked token is refused, and what it holds open is cut at once', async () => {
    const { hub, store, token } = await startTestHub();
    const { device, token: held } = await store.devices.add(GRANT);
    const viewer = await TestViewer.connect(hub.url, held);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, held);
    const other = await TestViewer.connect(hub.url, token);
    expect((await call(hub.url, token, 'DELETE', `/api/devices/${device.id}`)).status).toBe(200);
    await until(() => viewer.closed);
    await until(() => agent.failure);
    expect((await call(hub.url, held, 'GET', '/api/me')).status).toBe(401);
    expect(other.closed).toBeUndefined();
  });

  it('[HB14] a link signs one browser in, once, with a cookie that no script reads', async () => {
    const { hub } = await startTestHub();
    const link = (await hub.createSignInLink(GRANT)).split('#')[1];
    const page = await fetch(`${hub.url}/sign-in`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const signIn = () => call(hub.url, '', 'POST', '/api/sign-in', { link });
    const answer = await signIn();
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    const { cookie, bearer } = browserOf(answer);
    const headers = { cookie, authorization: `Bearer ${bearer}` };
    const me = await fetch(`${hub.url}/api/me`, { headers });
    expect(await me.json()).toMatchObject({ person: 'Ada', scope: 'drive' });
    expect((await signIn()).status).toBe(401);
    expect((await fetch(`${hub.url}/api/sign-out`, { method: 'POST', headers })).status).toBe(200);
    expect((await fetch(`${hub.url}/api/me`, { headers })).status).toBe(401);
    const direct = (await hub.createSignInLink(GRANT)).split('#')[1];
    const redirected = await fetch(`${hub.url}/sign-in?token=${direct}`, { redirect: 'manual' });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([303, `/sign-in#${direct}`]);
    expect(redirected.headers.get('set-cookie')).toBeNull();
  });

  it("[HB80] neither a browser's cookie nor what its page keeps is of any use alone", async () => {
    const { hub, store } = await startTestHub();
    const signIn = async () => {
      const link = (await hub.createSignInLink(GRANT)).split('#')[1];
      return browserOf(await call(hub.url, '', 'POST', '/api/sign-in', { link }));
    };
    const [one, other] = [await signIn(), await signIn()];
    const full = await tokenFor(store);
    const [name = '', part = ''] = one.cookie.split('=');
    const knock = async (cookie: string, bearer: string): Promise<[number, number]> => {
      const headers: Record<string, string> = cookie ? { cookie } : {};
      const authorization = bearer ? { authorization: `Bearer ${bearer}` } : {};
      const answer = await fetch(`${hub.url}/api/me`, { headers: { ...headers, ...authorization } });
      const protocols = bearer ? protocolsFor(bearer) : [];
      return [answer.status, await dial(`${hub.url}/api/stream`, headers, protocols)];
    };
    expect(await knock(one.cookie, one.bearer)).toEqual([200, 101]);
    for (const [cookie, bearer] of [
      [one.cookie, ''],
      ['', one.bearer],
      ['', part],
      [one.cookie, part],
      [one.cookie, other.bearer],
      [`${name}=${full}`, ''],
      [`${name}=${full}`, one.bearer],
    ] as const)
      expect([cookie, bearer, await knock(cookie, bearer)]).toEqual([cookie, bearer, [401, 401]]);
    expect(await knock(one.cookie, full)).toEqual([200, 101]);
  });

  it('[HB15] whoever tries links is slowed down, one after the other and all at once, and good links work all the same', async () => {
    const { hub } = await startTestHub();
    const attempt = () => call(hub.url, '', 'POST', '/api/sign-in', { link: 'a.b' });
    const statuses = (await Promise.all(Array.from({ length: 50 }, attempt))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect(Number((await attempt()).headers.get('retry-after'))).toBeGreaterThan(0);
    for (let n = 0; n < 12; n += 1) {
      const link = (await hub.createSignInLink(GRANT)).split('#')[1];
      expect((await call(hub.url, '', 'POST', '/api/sign-in', { link })).status).toBe(200);
    }
    expect((await attempt()).status).toBe(429);
  });

  it('[HB348] every sign-in is kept, with the device that came in by it', async () => {
    const { hub, store, token } = await startTestHub();
    const link = (await hub.createSignInLink(GRANT)).split('#')[1];
    await call(hub.url, '', 'POST', '/api/sign-in', { link });
    const device = (await store.devices.list()).items.at(-1);
    const [newest] = (await call(hub.url, token, 'GET', '/api/audit')).body.items;
    expect(newest).toMatchObject({ what: 'sign in', subject: device?.id, author: { deviceId: device?.id } });
  });

  it('[HB81] of one who is not known little is read', async () => {
    const { hub, token } = await startTestHub();
    const long = { link: 'x'.repeat(5000) };
    expect(await call(hub.url, '', 'POST', '/api/sign-in', long)).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LONG' },
    });
    for (const path of ['/api/sign-in', '/api/sign-out', '/api/sessions', '/session/s/events'])
      expect([path, await answeredWithin(hub.port, path)]).toEqual([path, true]);
    expect((await call(hub.url, token, 'GET', '/api/me')).status).toBe(200);
  });

  it('[HB16] no page of another site, whether by its own name or by one that was made to point here', async () => {
    const { hub, token } = await startTestHub({ names: ['hub.example'] });
    const get = async (headers: Record<string, string>): Promise<number | undefined> => {
      const asked = request(`${hub.url}/api/me`, {
        headers: { authorization: `Bearer ${token}`, ...headers },
      }).end();
      const [response] = await once(asked, 'response');
      response.resume();
      return response.statusCode;
    };
    const own = `127.0.0.1:${hub.port}`;
    expect(await get({ host: own })).toBe(200);
    expect(await get({ host: `hub.example:${hub.port}` })).toBe(200);
    expect(await get({ host: own, origin: `http://${own}` })).toBe(200);
    expect(await get({ host: 'evil.example' })).toBe(403);
    expect(await get({ host: own, origin: 'http://evil.example' })).toBe(403);
    expect(await get({ host: own, origin: 'http://127.0.0.1:1' })).toBe(403);
    expect(await get({ host: own, origin: 'null' })).toBe(403);
    expect(await dial(`${hub.url}/api/stream?token=${token}`, { origin: 'http://evil.example' })).toBe(403);
    expect(await dial(`${hub.url}/ws/s?token=${token}`, { host: 'evil.example' })).toBe(403);
  });

  it('[HB17] an address that others reach is refused without TLS', async () => {
    await expect(startTestHub({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'HUB_BIND_REFUSED' });
    const { hub } = await startTestHub({ host: '0.0.0.0', behindProxy: true });
    expect((await fetch(`http://127.0.0.1:${hub.port}/healthz`)).status).toBe(200);
    await expect(startTestHub({ port: hub.port, host: '0.0.0.0', behindProxy: true })).rejects.toMatchObject({
      code: 'HUB_NOT_STARTED',
    });
  });
});

/** The status that a dialler is answered with; 101 when it is let in. */
async function dial(
  url: string,
  headers: Record<string, string> = {},
  protocols: readonly string[] = [],
): Promise<number> {
  const socket = new WebSocket(url.replace('http', 'ws'), [...protocols], { headers });
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
}

/** Whether one without a token gets an answer to a body that has no end, before a megabyte of it is sent. */
async function answeredWithin(port: number, path: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(`100000\r\n${'x'.repeat(1024 * 1024)}\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return /^HTTP\/1.1 4\d\d/.test(String(answer));
}
