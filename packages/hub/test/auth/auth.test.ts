import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestAgent } from '../dial-in/test-agent.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { call, startTestHub, tokenFor, until } from '../server/test-parts.ts';

const GRANT = { person: 'Ada', name: 'browser', scope: 'drive', session: null } as const;

describe('who is let in', () => {
  it('[HB10] nobody without a token, at any route or socket', async () => {
    const { hub, token } = await startTestHub();
    const { paths } = (await call(hub.url, token, 'GET', '/api/openapi.json')).body;
    paths['/api/openapi.json'] = { get: {} };
    paths['/api/sign-out'] = { post: {} };
    paths['/metrics'] = { get: {} };
    expect(Object.keys(paths).length).toBeGreaterThan(8);
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations ?? {})) {
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
    for (const path of ['/', '/ws/s', '/agent/s', '/api/stream', '/nowhere']) {
      for (const query of ['', '?token=wrong.token'])
        expect(await dial(`${hub.url}${path}${query}`)).toBe(401);
    }
  });

  it('[HB11] a token does what its scope says, in its session', async () => {
    const { hub, store, token } = await startTestHub();
    for (const id of ['s', 'other']) await call(hub.url, token, 'POST', '/api/sessions', { id });
    const prompt = { clientId: 'p', content: 'x' };
    const allowed: Record<string, string[]> = {
      watch: [],
      approve: [],
      drive: ['prompt'],
      admin: ['prompt', 'devices'],
    };
    for (const scope of ['watch', 'approve', 'drive', 'admin'] as const) {
      const held = await tokenFor(store, { scope });
      const done = [];
      if ((await call(hub.url, held, 'POST', '/api/sessions/s/prompts', prompt)).status === 201)
        done.push('prompt');
      if ((await call(hub.url, held, 'GET', '/api/devices')).status === 200) done.push('devices');
      expect((await call(hub.url, held, 'GET', '/api/sessions')).status).toBe(200);
      expect(done).toEqual(allowed[scope]);
    }
    const bound = await tokenFor(store, { scope: 'drive', session: 's' });
    expect((await call(hub.url, bound, 'POST', '/api/sessions/s/prompts', prompt)).status).toBe(201);
    expect((await call(hub.url, bound, 'POST', '/api/sessions/other/prompts', prompt)).status).toBe(403);
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
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const me = await fetch(`${hub.url}/api/me`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(await me.json()).toMatchObject({ person: 'Ada', scope: 'drive' });
    expect((await signIn()).status).toBe(401);
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    expect((await fetch(`${hub.url}/api/sign-out`, { method: 'POST', headers })).status).toBe(200);
    expect((await fetch(`${hub.url}/api/me`, { headers })).status).toBe(401);
    const direct = (await hub.createSignInLink(GRANT)).split('#')[1];
    const redirected = await fetch(`${hub.url}/sign-in?token=${direct}`, { redirect: 'manual' });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([303, '/']);
  });

  it('[HB15] whoever tries links is slowed down', async () => {
    const { hub } = await startTestHub();
    const attempt = () => call(hub.url, '', 'POST', '/api/sign-in', { link: 'a.b' });
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await attempt()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(Number((await attempt()).headers.get('retry-after'))).toBeGreaterThan(0);
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
async function dial(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers });
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
