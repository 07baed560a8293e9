import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SCOPES } from '@signalbox/protocol/hub';
import { freePort } from '@signalbox/testing/free-port';
import { makeCertificate } from '@signalbox/testing/hub/certificate';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, startTestHub, temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readHubFile, writeHubFile } from '../../src/bridge/hub-file.ts';
import { HubSocketAgent } from '../../src/bridge/hub-socket.ts';

const GRANT = { person: 'Bob', name: 'phone', scope: 'admin', session: null } as const;

const SETUP = { program: [], agents: () => [] };

describe('the socket of a hub', () => {
  it('[HB340] is in its home, which its owner alone can enter, and goes with the hub', async () => {
    const home = temporaryFolder();
    chmodSync(home, 0o755);
    const { hub } = await startTestHub({ launch: { ...SETUP, home } });
    const socket = join(home, 'hub.sock');
    expect([hub.socket, readHubFile(home)?.socket]).toEqual([socket, socket]);
    expect([home, socket].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    await hub.close();
    expect(existsSync(socket)).toBe(false);
  });

  it('[HB341] takes the place of what a killed hub left, and of nothing else', async () => {
    const home = temporaryFolder();
    const first = await HubProcess.start(home, await freePort());
    await first.kill();
    expect(statSync(join(home, 'hub.sock')).isSocket()).toBe(true);
    const second = await HubProcess.start(home, await freePort());
    expect(await get(home, second.token)).toBe(200);
    await second.kill();

    const other = temporaryFolder();
    writeFileSync(join(other, 'hub.sock'), 'somebody’s notes');
    const { url } = await HubProcess.start(other, await freePort());
    expect(url).toBe('');
    expect(readFileSync(join(other, 'hub.sock'), 'utf8')).toBe('somebody’s notes');
  });

  it('[HB342] is in a folder of its own when the path of the home is too long for it, and is found by hub.json', async () => {
    const home = join(temporaryFolder(), 'long'.repeat(30));
    mkdirSync(home);
    const first = await HubProcess.start(home, await freePort());
    const folder = dirname(readHubFile(home)?.socket ?? '');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await get(home, first.token)).toBe(200);
    await first.kill();
    const second = await HubProcess.start(home, await freePort());
    expect(await get(home, second.token)).toBe(200);
    expect(existsSync(folder)).toBe(false);
    const next = dirname(readHubFile(home)?.socket ?? '');
    second.tell('SIGTERM');
    await second.exited;
    expect(existsSync(next)).toBe(false);
  });

  it('[HB343] asks for the same token as the port, also on a hub with TLS, which is not in the way here', async () => {
    const home = temporaryFolder();
    const { cert, key } = makeCertificate(temporaryFolder());
    const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    const { token } = await startTestHub({ tls, launch: { ...SETUP, home } });
    expect(await get(home, token)).toBe(200);
    expect(await get(home)).toBe(401);
    expect(await get(home, token, { host: 'evil.example' })).toBe(403);
    for (const path of ['/api/sessions', '/api/devices', '/api/audit', '/api/agents', '/metrics'])
      expect([path, await get(home, 'wrong.token', {}, path)]).toEqual([path, 401]);
    for (const path of ['/api/stream', '/ws/s', '/agent/s', '/ws', '/api/sessions/s/wire'])
      expect(await upgrade(home, path)).toBe(401);
    expect(await upgrade(home, '/api/stream', token)).toBe(101);
  });

  it('[HB343] lets everybody do what the port lets them do, and no more', async () => {
    const home = temporaryFolder();
    const { hub, store, token } = await startTestHub({ launch: { ...SETUP, home } });
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const { device, token: revoked } = await store.devices.add(GRANT);
    await store.devices.revoke(device.id);
    const principals = new Map([
      ['nobody', ''],
      ['a wrong token', 'wrong.token'],
      ['revoked', revoked],
      ['expired', await tokenFor(store, { expiresAt: 1 })],
      ['the agent of s', body.token],
      ['watch in s', await tokenFor(store, { scope: 'watch', session: 's' })],
      ['admin elsewhere', await tokenFor(store, { session: 'other' })],
      ...(await Promise.all(SCOPES.map(async (scope) => [scope, await tokenFor(store, { scope })] as const))),
    ]);
    const { paths } = (await call(hub.url, token, 'GET', '/api/openapi.json')).body;
    const differences = [];
    let count = 0;
    for (const [path, operations] of Object.entries<object>(paths)) {
      for (const method of Object.keys(operations)) {
        // It would end the token that it is asked with.
        if (path === '/api/sign-out') continue;
        for (const [who, held] of principals) {
          // Removed by the one, it would be unknown to the other.
          const session = method === 'delete' ? 'nothing' : 's';
          const target = path.replace('{session}', session).replaceAll(/[{}]/g, '');
          const asked = { method: method.toUpperCase(), path: target, token: held };
          const statuses = [await statusAt(asked, { port: hub.port }), await statusAt(asked, homeOf(home))];
          count += 1;
          if (statuses[0] !== statuses[1]) differences.push({ who, path, method, statuses });
        }
      }
    }
    expect(differences).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  it('[HB344] is not used where others than the owner of the home could have put it', async () => {
    const home = temporaryFolder();
    const { token } = await startTestHub({ launch: { ...SETUP, home } });
    const { socket = '', ...rest } = readHubFile(home) ?? { url: '' };
    chmodSync(home, 0o770);
    await expect(get(home, token)).rejects.toMatchObject({ code: 'HUB_SOCKET_REFUSED' });
    chmodSync(home, 0o700);
    expect(await get(home, token)).toBe(200);
    writeHubFile(home, { ...rest, socket: '/tmp/hub.sock' });
    await expect(get(home, token)).rejects.toMatchObject({ code: 'HUB_SOCKET_REFUSED' });
    writeHubFile(home, { ...rest, socket });
  });
});

async function get(
  home: string,
  token?: string,
  headers: Record<string, string> = {},
  path = '/api/me',
): Promise<number> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const asked = request(`http://localhost${path}`, {
    agent: new HubSocketAgent(home),
    headers: { ...headers, ...authorization },
  }).end();
  const [response] = await once(asked, 'response');
  await text(response);
  return response.statusCode;
}

function homeOf(home: string): RequestOptions {
  return { agent: new HubSocketAgent(home) };
}

/** What is answered to a request without a body, where it is said to go. */
async function statusAt(
  { method, path, token }: { method: string; path: string; token: string },
  place: RequestOptions,
): Promise<number> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const [response] = await once(request({ ...place, method, path, headers }).end(), 'response');
  await text(response);
  return response.statusCode;
}

async function upgrade(home: string, path: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://localhost${path}`, { agent: new HubSocketAgent(home), headers });
  return new Promise((resolve) => {
    socket.once('upgrade', ({ statusCode }) => {
      resolve(statusCode ?? 0);
      socket.terminate();
    });
    socket.once('unexpected-response', (asked, { statusCode }) => {
      resolve(statusCode ?? 0);
      asked.destroy();
    });
    socket.on('error', () => {});
  });
}
