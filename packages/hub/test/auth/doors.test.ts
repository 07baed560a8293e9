import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { protocolsFor } from '@signalbox/protocol/hub';
import {
  browserOf,
  call,
  startTestHub,
  temporaryFolder,
  tokenFor,
  until,
} from '@signalbox/testing/hub/test-parts';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createSecret } from '../../src/store/sql/secret.ts';
import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { TestViewer } from '../live/test-viewer.ts';

const DOORS = ['/', '/ws/s', '/agent/s', '/api/stream'];

describe('the doors', () => {
  it('[AP30] take the token of a page as a subprotocol, and never repeat it', async () => {
    const { hub, store, token } = await startTestHub();
    for (const door of DOORS) {
      const opened = await dial(hub.url + door, { protocols: protocolsFor(token) });
      expect([door, opened]).toEqual([door, { status: 101, protocol: 'signalbox' }]);
      const backwards = await dial(hub.url + door, { protocols: protocolsFor(token).toReversed() });
      expect([door, backwards]).toEqual([door, { status: 101, protocol: 'signalbox' }]);
      expect((await dial(hub.url + door, { protocols: protocolsFor('wrong.token') })).status).toBe(401);
      expect((await dial(hub.url + door, { protocols: ['signalbox'] })).status).toBe(401);
    }
    const bound = await tokenFor(store, { scope: 'drive', session: 'other' });
    expect((await dial(`${hub.url}/ws/s`, { protocols: protocolsFor(bound) })).status).toBe(403);
  });

  it('[AP31] are shut to another name and another origin, whatever token comes along', async () => {
    const { hub, token } = await startTestHub({ names: ['hub.example'] });
    const authorization = `Bearer ${token}`;
    for (const door of DOORS) {
      const knock = async (headers: Record<string, string>): Promise<[string, number]> => [
        door,
        (await dial(hub.url + door, { headers: { authorization, ...headers } })).status,
      ];
      expect(await knock({ host: 'evil.example' })).toEqual([door, 403]);
      expect(await knock({ origin: 'http://evil.example' })).toEqual([door, 403]);
      expect(await knock({ origin: 'null' })).toEqual([door, 403]);
      expect(await knock({ origin: hub.url })).toEqual([door, 101]);
      expect(await knock({ host: 'hub.example', origin: 'https://hub.example' })).toEqual([door, 101]);
    }
    for (const path of ['/healthz', '/sign-in', '/api/me', '/metrics']) {
      expect([path, await getAs(hub.url + path, 'evil.example')]).toEqual([path, 403]);
    }
  });

  it('[AP32] of a browser that is signed in do nothing for the page of another site', async () => {
    const { hub, store } = await startTestHub();
    const grant = { person: 'Ada', name: 'browser', scope: 'admin', session: null } as const;
    const link = (await hub.createSignInLink(grant)).split('#')[1];
    const signed = await call(hub.url, '', 'POST', '/api/sign-in', { link });
    const { cookie, bearer } = browserOf(signed);
    const authorization = `Bearer ${bearer}`;
    const make = async (id: string, headers: Record<string, string>): Promise<number> => {
      const body = JSON.stringify({ id });
      const answer = await fetch(`${hub.url}/api/sessions`, {
        method: 'POST',
        headers: { cookie, authorization, ...headers },
        body,
      });
      return answer.status;
    };
    const json = { 'content-type': 'application/json' };
    expect(await make('a', { ...json, origin: 'http://evil.example' })).toBe(403);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await make('b', { 'content-type': type })).toBe(415);
    expect((await store.sessions.list()).items).toEqual([]);
    expect(await make('c', { ...json, origin: hub.url })).toBe(201);
    const { hub: proxied } = await startTestHub({ behindProxy: true });
    const other = (await proxied.createSignInLink(grant)).split('#')[1];
    const secure = await call(proxied.url, '', 'POST', '/api/sign-in', { link: other });
    expect(secure.headers.get('set-cookie')).toMatch(/Secure/);
  });

  it('[AP33] shut when a token expires, and what it holds open is cut', async () => {
    const { hub, store, token } = await startTestHub();
    const grant = { person: 'Bob', name: 'phone', scope: 'watch', expiresAt: Date.now() + 6000 };
    const { body } = await call(hub.url, token, 'POST', '/api/devices', grant);
    expect(body.device.expiresAt).toBe(grant.expiresAt);
    const viewer = await TestViewer.connect(hub.url, body.token);
    await until(() => viewer.closed);
    expect(Date.now()).toBeGreaterThanOrEqual(grant.expiresAt);
    expect((await call(hub.url, body.token, 'GET', '/api/me')).status).toBe(401);
    const late = await tokenFor(store, { expiresAt: 1 });
    expect((await dial(`${hub.url}/api/stream?token=${late}`)).status).toBe(401);
  });

  it('[AP36] close at once when too many are there, and open again when there is room', async () => {
    const { hub, token } = await startTestHub({ maxConnections: 2 });
    const viewers = [await TestViewer.connect(hub.url, token), await TestViewer.connect(hub.url, token)];
    const turnedAway = new WebSocket(`${hub.url.replace('http', 'ws')}/api/stream?token=${token}`);
    await once(turnedAway, 'error');
    for (const viewer of viewers)
      expect((await viewer.ask({ type: 'subscribe', session: '*' })).type).toBe('ack');
    viewers[0]?.socket.terminate();
    await until(() => viewers[0]?.closed);
    await until(async () => {
      const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/api/stream?token=${token}`);
      const isOpen = await once(socket, 'open').then(
        () => true,
        () => false,
      );
      socket.terminate();
      return isOpen;
    });
  });

  it('[AP37] behind a proxy are held against the address that the proxy names', async () => {
    const { hub } = await startTestHub({ behindProxy: true });
    const attempt = async (forwarded: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded };
      const body = JSON.stringify({ link: 'a.b' });
      return (await fetch(`${hub.url}/api/sign-in`, { method: 'POST', headers, body })).status;
    };
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push(await attempt(`10.0.0.${n}, 192.0.2.1`));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(await attempt('192.0.2.2')).toBe(401);
  });

  it("[AP34] tell an agent's token by what it is, not by a name; one from an earlier version too", async () => {
    const file = join(temporaryFolder(), 'hub.db');
    const old = new Libsql(file);
    old.exec(`${MIGRATIONS[0]}; PRAGMA application_id = 0x53674278; PRAGMA user_version = 1`);
    const { id, text, hash } = createSecret(crypto.randomUUID());
    const grants = JSON.stringify({ person: 'agent', name: 'agent of s', scope: 'watch', session: 's' });
    old
      .prepare('INSERT INTO device (id, grants, token_hash, created_at) VALUES (?, ?, ?, 1)')
      .run([id, grants, hash]);
    old.close();
    const { hub, store, token } = await startTestHub({ store: await openSqliteStore(file) });
    expect((await call(hub.url, text, 'GET', '/api/me')).body).toMatchObject({
      kind: 'agent',
      expiresAt: null,
    });
    expect((await dial(`${hub.url}/ws/s?token=${text}`)).status).toBe(101);
    expect((await dial(`${hub.url}/ws/other?token=${text}`)).status).toBe(403);
    const named = await tokenFor(store, { person: 'agent', scope: 'watch', session: 's' });
    expect((await dial(`${hub.url}/ws/s?token=${named}`)).status).toBe(403);
    const { items } = (await call(hub.url, token, 'GET', '/api/devices')).body;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['agent', 'person', 'person']);
  });
});

/** How a dialler is answered; 101 when it is let in. */
async function dial(
  url: string,
  { headers = {}, protocols = [] }: { headers?: Record<string, string>; protocols?: string[] } = {},
): Promise<{ status: number; protocol: string }> {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, { headers });
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.once('open', () => {
      resolve({ status: 101, protocol: socket.protocol });
      socket.terminate();
    });
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, protocol: '' });
    });
  });
}

/** `fetch` does not let a caller choose the host. */
async function getAs(url: string, host: string): Promise<number | undefined> {
  const [response] = await once(request(url, { headers: { host } }).end(), 'response');
  response.resume();
  return response.statusCode;
}
