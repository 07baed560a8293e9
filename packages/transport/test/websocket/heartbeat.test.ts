import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { readLines, readToEnd, rejectionOf, sendAll, untilState } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { accepted, client, dialAccepted, dialBare, startServer } from './scene.ts';

const INTERVAL = { pingIntervalMs: 100 };

/** More than a consumer may be behind before the connection is not read any more. */
const FLOOD = Array.from({ length: 100 }, (_, n) => numberedLine(n, 32 * 1024));

describe('heartbeat', () => {
  it('[WS11] a client leaves a connection on which no ping is answered, and comes back', async () => {
    const { server, transport } = await dialBare(INTERVAL, { autoPong: false });
    const { socket, closed } = await server.accepted();
    await once(socket, 'ping');
    expect(await closed).toMatchObject({ code: 1006 });
    await server.accepted();
    await untilState(transport, 'connected');
  });

  it('[WS11] a server does so too', async () => {
    const far = accepted(INTERVAL);
    const server = await startServer(far);
    const silent = new WebSocket(server.url, { autoPong: false });
    expect(await rejectionOf(readToEnd(far))).toMatchObject({
      code: 'TRANSPORT_FAILED',
      message: 'The client is gone: 1006.',
    });
    silent.terminate();
  });

  it('[WS11] a connection on which pings are answered lasts', async () => {
    const { server, transport } = await dialBare(INTERVAL);
    const { socket } = await server.accepted();
    for (let pings = 0; pings < 5; pings += 1) await once(socket, 'ping');
    expect(transport.state).toBe('connected');
    expect(server.requests).toHaveLength(1);
  });

  it('[WS12] a client whose own reader is behind neither leaves nor looks dead', async () => {
    const { server, transport } = await dialBare(INTERVAL);
    const { socket } = await server.accepted();
    socket.send(FLOOD.join('\n'));
    for (let signs = 0; signs < 5; signs += 1) await once(socket, 'pong');
    expect(server.requests).toHaveLength(1);
    expect(await readLines(transport.receive(), FLOOD.length)).toEqual(FLOOD);
  });

  it.each(['plain', 'lossless'] as const)(
    '[WS12] both our ends outlast a reader that is behind on a %s link',
    async (link) => {
      const options = { ...INTERVAL, lossless: link === 'lossless' };
      const { server, near, far } = await dialAccepted(options, options);
      const sending = sendAll(near, FLOOD);
      await delay(8 * INTERVAL.pingIntervalMs);
      expect(server.requests).toHaveLength(1);
      expect(await readLines(far.receive(), FLOOD.length)).toEqual(FLOOD);
      await sending;
    },
  );

  it('[WS12] a long line on a slow connection is a sign of life', async () => {
    const { server, transport } = await dialBare(INTERVAL, { autoPong: false });
    const { request } = await server.accepted();
    const line = numberedLine(1, 10_000);
    const header = Buffer.from([0x81, 126, line.length >> 8, line.length & 0xff]);
    const bytes = Buffer.concat([header, Buffer.from(line)]);
    const pieces = 20;
    for (let piece = 0; piece < pieces; piece += 1) {
      const size = Math.ceil(bytes.length / pieces);
      request.socket.write(bytes.subarray(piece * size, (piece + 1) * size));
      await delay(INTERVAL.pingIntervalMs / 3);
    }
    expect(await readLines(transport.receive(), 1)).toEqual([line]);
    expect(server.requests).toHaveLength(1);
  });

  it('[WS12] a process that was busy for long does not blame its peer', async () => {
    const server = new Worker(new URL('./pong-server.js', import.meta.url));
    onTestFinished(() => void server.terminate());
    const [port] = await once(server, 'message');
    // Long enough for the other thread to get a core and answer, on a busy machine too.
    const pingIntervalMs = 1000;
    const transport = client(new URL(`ws://127.0.0.1:${port}/`), { pingIntervalMs });
    await transport.connect();
    const states: string[] = [];
    transport.onStateChange((state) => states.push(state));
    for (let pings = 0; pings < 2; pings += 1) {
      await once(server, 'message');
      const until = Date.now() + 1.5 * pingIntervalMs;
      while (Date.now() < until);
    }
    await once(server, 'message');
    expect(states).toEqual([]);
  });

  it('[WS13] a plain peer is sent keep_alive lines', async () => {
    const { server } = await dialBare({ keepAliveIntervalMs: 10 });
    const lines = await (await server.accepted()).untilLines(3);
    expect(new Set(lines)).toEqual(new Set(['{"type":"keep_alive"}']));
  });

  it('[WS13] on a lossless link there are none', async () => {
    const { near, far } = await dialAccepted({ keepAliveIntervalMs: 10, lossless: true }, { lossless: true });
    const lines = readLines(far.receive(), 2);
    await near.send('1');
    await delay(100);
    await near.send('2');
    expect(await lines).toEqual(['1', '2']);
  });
});
