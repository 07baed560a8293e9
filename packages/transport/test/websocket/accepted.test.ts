import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { AcceptedTransport } from '../../src/websocket/accepted-transport.ts';
import { readLines, readToEnd, rejectionOf, sendAll, untilState } from '../conversation.ts';
import { accepted, client, startServer } from './scene.ts';

describe('the server end', () => {
  it.each([1000, 1001, undefined])(
    '[WS18] a client that leaves with %s has left on purpose',
    async (code) => {
      const { far, socket } = await dial(accepted());
      socket.send('1');
      socket.close(code);
      expect(await readToEnd(far)).toEqual(['1']);
      expect(far.state).toBe('closed');
    },
  );

  it('[WS18] a client that is cut off has failed', async () => {
    const { far, socket } = await dial(accepted());
    socket.terminate();
    expect(await rejectionOf(readToEnd(far))).toMatchObject({ code: 'TRANSPORT_FAILED' });
  });

  it('[WS18] if told so the server waits for it to come back, and keeps what it has for it', async () => {
    const { far, url, socket } = await dial(accepted({ surviveDrops: true }));
    socket.terminate();
    await untilState(far, 'reconnecting');
    await far.send('1');
    const again = new WebSocket(url);
    onTestFinished(() => again.terminate());
    const [data] = await once(again, 'message');
    expect(String(data)).toBe('1\n');
    expect(far.state).toBe('connected');
  });

  it.each([1002, 1008, 4001])('[WS18] a client that leaves with %i will not come back', async (code) => {
    const { far, socket } = await dial(accepted({ surviveDrops: true }));
    socket.close(code, 'enough');
    expect(await rejectionOf(readToEnd(far))).toMatchObject({
      code: 'TRANSPORT_FAILED',
      message: `The client is gone: ${code} enough.`,
    });
  });

  it('[WS19] of two connections the newer wins, and the older does not disturb it', async () => {
    const { far, url, socket: older } = await dial(accepted());
    const closed = once(older, 'close');
    // The older one does not notice yet.
    older.pause();
    const newer = new WebSocket(url);
    onTestFinished(() => newer.terminate());
    await once(newer, 'open');
    older.send('"from the older"');
    newer.send('"from the newer"');
    expect(await readLines(far.receive(), 1)).toEqual(['"from the newer"']);
    await far.send('1');
    const [data] = await once(newer, 'message');
    expect(String(data)).toBe('1\n');
    older.resume();
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([4000, 'replaced by a newer connection']);
    expect(far.state).toBe('connected');
  });

  it('[WS19] a client of ours that is replaced does not fight for its place', async () => {
    const { far, url } = await dial(accepted());
    const first = client(url);
    await first.connect();
    const second = client(url);
    await second.connect();
    expect(await rejectionOf(readToEnd(first))).toMatchObject({
      code: 'CONNECTION_LOST',
      message: `The connection to ${url.href} was closed: 4000 replaced by a newer connection.`,
    });
    await second.send('1');
    expect(await readLines(far.receive(), 1)).toEqual(['1']);
  });

  it('[WS24] a client that comes to a closed transport is told that it is over', async () => {
    const far = accepted();
    const server = await startServer(far);
    await far.close();
    const near = client(server.url);
    await near.connect();
    expect(await readToEnd(near)).toEqual([]);
  });

  it('[WS25] a server can hand its client over to the next one', async () => {
    const first = accepted();
    const second = accepted();
    let current = first;
    const server = await startServer(() => current);
    const near = client(server.url);
    await near.connect();
    await near.send('1');
    expect(await readLines(first.receive(), 1)).toEqual(['1']);
    current = second;
    await Promise.all([first.handOver(), untilState(near, 'reconnecting')]);
    expect(first.state).toBe('closed');
    await near.send('2');
    expect(await readLines(second.receive(), 1)).toEqual(['2']);
    await second.send('3');
    expect(await readLines(near.receive(), 1)).toEqual(['3']);
  });

  it('[WS25] on a lossless link what was not read yet is left to the next one', async () => {
    const first = accepted({ lossless: true });
    const second = accepted({ lossless: true });
    let current = first;
    const server = await startServer(() => current);
    const near = client(server.url, { lossless: true });
    await near.connect();
    await sendAll(near, ['1', '2', '3']);
    const lines = first.receive();
    expect(await readLines(lines, 1)).toEqual(['1']);
    current = second;
    await first.handOver();
    expect(await readLines(lines, 1)).toEqual([]);
    expect(await readLines(second.receive(), 3)).toEqual(['1', '2', '3']);
  });
});

async function dial(
  far: AcceptedTransport,
): Promise<{ far: AcceptedTransport; url: URL; socket: WebSocket }> {
  const { url } = await startServer(far);
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return { far, url, socket };
}
