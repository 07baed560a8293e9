import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import { openMemoryStore } from '@signalbox/hub/store';
import { startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, it } from 'vitest';
import { WebSocket } from 'ws';

/** Twice as many are more than one device may hold at once. */
const LEFT = 150;

describe('the sockets of a hub', () => {
  it('[HB2557] that were refused, closed, cut, or left before they were let in are freed, with what their device holds', async () => {
    const store = await openMemoryStore();
    const looks: (() => void)[] = [];
    let isSlow = false;
    const slow = async (token: string): Promise<unknown> => {
      if (isSlow) await new Promise<void>((resolve) => looks.push(resolve));
      return store.devices.authenticate(token);
    };
    const devices = instead(store.devices, 'authenticate', slow);
    const { hub, token } = await startTestHub({ store: instead(store, 'devices', devices) });
    const port = Number(new URL(hub.url).port);
    const count = (): number => queryObjects(Socket, { format: 'count' });
    const head = (path: string, bearer: string): string =>
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nauthorization: Bearer ${bearer}\r\n\r\n`;
    const dial = async (path: string, bearer: string): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(head(path, bearer));
      return socket;
    };
    const gone = async (socket: Socket): Promise<void> => {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
    };
    const reset = async (socket: Socket): Promise<void> => {
      socket.resetAndDestroy();
      if (!socket.closed) await once(socket, 'close');
    };
    const round = async (many: number): Promise<void> => {
      for (const leave of [gone, reset, reset]) {
        isSlow = true;
        const left = await Promise.all(Array.from({ length: many }, () => dial('/api/stream', token)));
        // They leave while the hub looks at their token.
        await until(() => looks.length === many);
        await Promise.all(left.map(leave));
        // Whoever comes after them is answered after them.
        for (let times = 0; times < 2; times += 1) await fetch(`${hub.url}/healthz`);
        isSlow = false;
        for (const go of looks.splice(0)) go();
      }
      for (const path of ['/api/stream', '/nowhere', '/ws/s']) {
        const refused = await Promise.all(Array.from({ length: 10 }, () => dial(path, 'wrong')));
        await Promise.all(refused.map((socket) => once(socket.resume(), 'end')));
        await Promise.all(refused.map(gone));
      }
      const other = await store.devices.add({ person: 'Bo', name: 'x', scope: 'watch', session: null });
      const watching = await Promise.all([token, other.token, other.token].map((one) => watch(hub.url, one)));
      await fetch(`${hub.url}/api/devices/${other.device.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      });
      watching[0]?.close();
      await Promise.all(watching.map(closed));
    };
    await round(10);
    // The same once more: whatever is made but once is there.
    const before = await settled(count);
    await round(LEFT);
    // Nothing of it is held against the device.
    (await watch(hub.url, token)).terminate();
    await until(() => count() <= before + 3);
  });
});

/** The same with something else in the place of one of its parts. */
function instead<Whole extends object>(whole: Whole, name: keyof Whole, part: unknown): Whole {
  return new Proxy(whole, {
    get(target, one) {
      if (one === name) return part;
      const value: unknown = Reflect.get(target, one, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState !== socket.CLOSED) await once(socket, 'close');
}

async function watch(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}

/** A count once it is no longer less than before. */
async function settled(count: () => number): Promise<number> {
  let last = count();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = count();
    if (now >= last) return now;
    last = now;
  }
}
