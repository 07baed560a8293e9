import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOnLoopback } from '@signalbox/testing/loopback';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TransportState } from '../../src/transport.ts';
import { WebSocketTransport } from '../../src/websocket/websocket-transport.ts';
import { readLines, readToEnd, rejectionOf, sendAll, untilState } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { client, comeBack, dialBare, QUICK, startBare } from './scene.ts';

/** Longer than a test may take: what settles all the same did not wait for it. */
const FOR_EVER = 3_600_000;

const CLOSED = { code: 'TRANSPORT_CLOSED' };

describe('closing', () => {
  it('[WS20] before it was connected: at once, and for good', async () => {
    const server = await startBare();
    const transport = client(server.url);
    const states: TransportState[] = [];
    transport.onStateChange((state) => states.push(state));
    await transport.close();
    expect(states).toEqual(['closing', 'closed']);
    expect(await rejectionOf(transport.connect())).toMatchObject(CLOSED);
    expect(await readToEnd(transport)).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('[WS20] before it was connected, what was taken is counted as undelivered', async () => {
    const transport = client(new URL('ws://127.0.0.1:1/'));
    await sendAll(transport, ['1', '2', '3']);
    expect(await rejectionOf(transport.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: 3 });
  });

  it('[WS20] while it connects: the attempt is given up', async () => {
    const { url, connection } = await silentServer();
    const transport = client(url);
    const connecting = rejectionOf(transport.connect());
    const stream = await connection;
    const gone = once(stream, 'close');
    await transport.close();
    expect(await connecting).toMatchObject(CLOSED);
    await gone;
  });

  it('[WS20] while it reconnects with nothing left to say: at once', async () => {
    const { server, transport } = await dialBare({
      reconnect: { baseDelayMs: FOR_EVER, maxDelayMs: FOR_EVER },
    });
    server.cut();
    await untilState(transport, 'reconnecting');
    await transport.close();
    expect(await readToEnd(transport)).toEqual([]);
  });

  it('[WS20] while it reconnects with something left to say: after it was said', async () => {
    let isOpen = true;
    const { server, transport } = await dialBare(
      { closeTimeoutMs: FOR_EVER },
      { verifyClient: (_info, done) => done(isOpen, 503) },
    );
    await server.accepted();
    isOpen = false;
    server.cut();
    await untilState(transport, 'reconnecting');
    await sendAll(transport, ['1', '2']);
    const closing = transport.close();
    isOpen = true;
    const next = await server.accepted();
    expect(await next.closed).toMatchObject({ code: 1000 });
    expect(next.lines).toEqual(['1', '2']);
    await closing;
  });

  it('[WS20] when the time is up, what was not delivered is counted, and the server is not told goodbye', async () => {
    const { server, transport } = await dialBare({ closeTimeoutMs: 50 });
    const { socket, closed } = await server.accepted();
    socket.pause();
    const lines = Array.from({ length: 1000 }, (_, n) => numberedLine(n, 64 * 1024));
    for (const line of lines) void transport.send(line);
    expect(await rejectionOf(transport.close())).toMatchObject({
      code: 'LINES_UNDELIVERED',
      count: expect.toSatisfy((count: number) => count > 500 && count < 1000),
    });
    expect(transport.state).toBe('closed');
    socket.resume();
    expect(await closed).not.toMatchObject({ code: 1000 });
  });

  it('[WS20] while its own reader is behind: the goodbye is heard all the same', async () => {
    const { server, transport } = await dialBare({ closeTimeoutMs: FOR_EVER });
    const { socket, closed } = await server.accepted();
    const lines = Array.from({ length: 200 }, (_, n) => numberedLine(n, 32 * 1024));
    for (const line of lines) socket.send(line);
    const reading = transport.receive();
    expect(await readLines(reading, 1)).toEqual(lines.slice(0, 1));
    await transport.close();
    expect(await closed).toMatchObject({ code: 1000 });
    expect(await readLines(reading, lines.length)).toEqual(lines.slice(1));
  });

  it('[WS20] a refusal that is final is not waited out', async () => {
    let isOpen = true;
    const { server, transport } = await dialBare(
      { closeTimeoutMs: FOR_EVER },
      { verifyClient: (_info, done) => done(isOpen, 401) },
    );
    isOpen = false;
    const closing = untilState(transport, 'reconnecting').then(async () => {
      await transport.send('1');
      return rejectionOf(transport.close());
    });
    server.cut();
    expect(await closing).toMatchObject({ code: 'LINES_UNDELIVERED', count: 1 });
  });

  it('[WS21] a peer that never says goodbye is cut off, and nothing is left behind', async () => {
    const { server } = await dialBare();
    await server.accepted();
    const before = process.getActiveResourcesInfo();
    const transport = new WebSocketTransport(server.url, { env: {}, closeTimeoutMs: 20 });
    await transport.connect();
    const { request } = await server.accepted();
    const stream = request.socket.removeAllListeners('data').resume();
    const gone = once(stream, 'close');
    await transport.send('1');
    await transport.close();
    await gone;
    expect(transport.state).toBe('closed');
    await untilOnly(before);
  });

  it('[WS21] so is one that broke the protocol', async () => {
    const { server, transport } = await dialBare({ maxLineBytes: 10, closeTimeoutMs: 20 });
    const { request, socket } = await server.accepted();
    const stream = request.socket.removeAllListeners('data').resume();
    const gone = once(stream, 'close');
    socket.send('longer than it may be');
    expect(await rejectionOf(readToEnd(transport))).toMatchObject({ code: 'TRANSPORT_FAILED' });
    await gone;
  });

  it('[WS21] many drops leave nothing behind', async () => {
    const server = await startBare();
    const before = process.getActiveResourcesInfo();
    const transport = new WebSocketTransport(server.url, { env: {}, reconnect: QUICK });
    await transport.connect();
    for (let drops = 0; drops < 30; drops += 1) await comeBack(server, transport);
    await transport.close();
    await untilOnly(before);
  });

  it('[WS21] an attempt that was to come is not made', async () => {
    const { server, transport } = await dialBare({ reconnect: { baseDelayMs: 50 } });
    server.cut();
    await untilState(transport, 'reconnecting');
    await transport.close();
    await delay(100);
    expect(server.requests).toHaveLength(1);
  });

  it('[WS21] a transport that was never connected keeps no timer', () => {
    const before = process.getActiveResourcesInfo();
    void new WebSocketTransport(new URL('ws://127.0.0.1:1/'));
    expect(newSince(before)).toEqual([]);
  });
});

/** What keeps the process alive now and did not before. */
function newSince(before: readonly string[]): string[] {
  const old = [...before];
  return process.getActiveResourcesInfo().filter((resource) => {
    const at = old.indexOf(resource);
    if (at !== -1) old.splice(at, 1);
    return at === -1;
  });
}

async function untilOnly(before: readonly string[]): Promise<void> {
  // Not expect.poll, whose own timer would count.
  while (newSince(before).length > 0) await delay(10);
}

/** A server that takes connections and never says a word. */
async function silentServer(): Promise<{ url: URL; connection: Promise<Socket> }> {
  const server = createServer();
  const connection = once(server, 'connection').then(([socket]) => socket);
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  return { url: new URL(`ws://127.0.0.1:${port}/`), connection };
}
