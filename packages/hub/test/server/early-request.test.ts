import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { openMemoryStore } from '@signalbox/hub/store';
import { freePort } from '@signalbox/testing/free-port';
import { startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { expect, it } from 'vitest';
import { HubServer } from '../../src/doors/http/hub-server.ts';
import { Readiness } from '../../src/service/readiness.ts';

const HEAD = 'GET / HTTP/1.1\r\nhost: hub\r\n';
const UPGRADE =
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n';

it('[HB1918] a request that comes while the hub starts is answered once it serves', async () => {
  const server = await HubServer.listen({ host: '127.0.0.1', port: 0 });
  const send = async (headers: string) => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${HEAD}${headers}\r\n`);
    return socket;
  };
  const request = await send('connection: close\r\n');
  const upgrade = await send(UPGRADE);
  // Both were read by the time that a third one is here.
  (await send('connection: close\r\n')).destroy();
  server.serve(
    async (_, response) => void response.end('served'),
    async (_, stream) => void stream.end('HTTP/1.1 418 Upgraded\r\n\r\n'),
  );
  expect(await text(request)).toContain('served');
  expect(await text(upgrade)).toContain('418 Upgraded');
  await server.close(0);
});

it('[HB2300] while a hub starts, /readyz says so at once and /healthz that it lives, and all else waits', async () => {
  const opened = await openMemoryStore();
  const port = await freePort();
  let finish = (): void => {};
  const loading = new Promise<[]>((resolve) => {
    finish = () => resolve([]);
  });
  const rules = { ...opened.rules, list: () => loading };
  const starting = startTestHub({ port, store: { ...opened, rules } });
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, await answer.text()];
  };
  // Until it listens.
  await until(() => ask('/healthz').catch(() => undefined));
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  expect(await ask('/readyz')).toEqual([503, 'HUB_STARTING\n']);
  const later = ask('/api/me');
  finish();
  expect((await later)[0]).toBe(401);
  await starting;
  expect(await ask('/readyz')).toEqual([200, 'ok\n']);
});

it('[HB2301] a store that does not answer is said to be stuck, is asked once, and is ready when it has answered', async () => {
  let asked = 0;
  let answer = (): void => {};
  const probe = (): Promise<void> => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const readiness = new Readiness({ disk: { probe } }, { all: [] }, 50);
  expect(await readiness.problem()).toBe('STORE_STUCK');
  expect(await readiness.problem()).toBe('STORE_STUCK');
  expect(asked).toBe(1);
  answer();
  expect(await readiness.problem()).toBeUndefined();
});
