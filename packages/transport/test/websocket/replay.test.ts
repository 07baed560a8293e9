import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readLines, sendAll, untilState } from '../conversation.ts';
import { client, comeBack, dialAccepted, dialBare, startBare } from './scene.ts';

/** Close 1012, unmasked: what a server writes that is about to restart. */
const SERVICE_RESTART_FRAME = Buffer.from([0x88, 0x02, 0x03, 0xf4]);

const message = (n: number, pad = 0): string =>
  JSON.stringify({ type: 'assistant', n, pad: 'x'.repeat(pad), uuid: `id-${n}` });

const messages = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => message(from + n));

describe('replay to a plain peer', () => {
  it('[WS8] a client that comes back names the last message it sent', async () => {
    const { server, transport } = await dialBare();
    await sendAll(transport, [message(1), message(2), '{"type":"keep_alive"}']);
    await (await server.accepted()).untilLines(3);
    await comeBack(server, transport);
    expect(server.requests.map(({ headers }) => headers['x-last-request-id'])).toEqual([undefined, 'id-2']);
  });

  it('[WS8] what came after the message that the answer names is sent again', async () => {
    let lastReceived: string | undefined;
    const { server, transport } = await dialBare(
      {},
      { answer: () => (lastReceived === undefined ? {} : { 'X-Last-Request-Id': lastReceived }) },
    );
    await sendAll(transport, messages(1, 5));
    await (await server.accepted()).untilLines(5);
    lastReceived = 'id-3';
    await comeBack(server, transport);
    await transport.send(message(6));
    expect(await (await server.accepted()).untilLines(3)).toEqual(messages(4, 6));
  });

  it('[WS8] when it names a message that is not kept any more, all that is kept is sent again', async () => {
    const { server, transport } = await dialBare({}, { answer: () => ({ 'x-last-request-id': 'unknown' }) });
    await sendAll(transport, messages(1, 3));
    await (await server.accepted()).untilLines(3);
    await comeBack(server, transport);
    expect(await (await server.accepted()).untilLines(3)).toEqual(messages(1, 3));
  });

  it('[WS8] when it names none, the client goes on after the last line it wrote', async () => {
    const { server, transport } = await dialBare();
    await sendAll(transport, messages(1, 3));
    await (await server.accepted()).untilLines(3);
    await comeBack(server, transport);
    await transport.send(message(4));
    expect(await (await server.accepted()).untilLines(1)).toEqual([message(4)]);
  });

  it('[WS8] our server names the last message that it received', async () => {
    const { server, near, far } = await dialAccepted({}, { surviveDrops: true });
    await sendAll(near, messages(1, 2));
    await readLines(far.receive(), 2);
    const other = new WebSocket(server.url);
    const [response] = await once(other, 'upgrade');
    expect(response.headers['x-last-request-id']).toBe('id-2');
    other.terminate();
  });

  it('[WS9] a thousand lines are kept for a replay', async () => {
    const { server, transport } = await dialBare({}, { answer: () => ({ 'x-last-request-id': 'unknown' }) });
    await sendAll(transport, messages(1, 1500));
    await (await server.accepted()).untilLines(1500);
    await comeBack(server, transport);
    expect(await (await server.accepted()).untilLines(1000)).toEqual(messages(501, 1500));
  });

  it('[WS9] of long lines, no more are kept than 16 MiB, and the writer never waits for the rest', async () => {
    const size = 1024 * 1024;
    const { server, transport } = await dialBare({}, { answer: () => ({ 'x-last-request-id': 'unknown' }) });
    for (let n = 1; n <= 40; n += 1) await transport.send(message(n, size));
    await (await server.accepted()).untilLines(40);
    await comeBack(server, transport);
    await transport.send('"last"');
    const connection = await server.accepted();
    await connection.untilLine((line) => line === '"last"');
    const replayed = connection.lines.slice(0, -1);
    expect(replayed).toEqual(
      Array.from({ length: replayed.length }, (_, n) => message(41 - replayed.length + n, size)),
    );
    expect(replayed.length).toBeGreaterThan(10);
    expect(replayed.length).toBeLessThan(17);
  });

  it('[WS10] lines that are sent before and between connections arrive after the next one opens', async () => {
    const server = await startBare();
    const transport = client(server.url);
    await sendAll(transport, messages(1, 2));
    await transport.connect();
    const first = await server.accepted();
    expect(await first.untilLines(2)).toEqual(messages(1, 2));
    first.socket.terminate();
    await untilState(transport, 'reconnecting');
    await sendAll(transport, messages(3, 5));
    expect(await (await server.accepted()).untilLines(3)).toEqual(messages(3, 5));
  });

  it('[WS10] a line that is sent while the server closes the connection is not lost', async () => {
    const { server, transport } = await dialBare();
    const { request } = await server.accepted();
    const stream = request.socket.removeAllListeners('data');
    const echo = once(stream, 'data');
    stream.write(SERVICE_RESTART_FRAME);
    stream.resume();
    await echo;
    await sendAll(transport, messages(1, 2));
    stream.destroy();
    expect(await (await server.accepted()).untilLines(2)).toEqual(messages(1, 2));
  });

  it('[WS10] of what a dead peer did not read, nothing that never left the process is lost', async () => {
    const size = 64 * 1024;
    const { server, transport } = await dialBare({ pingIntervalMs: 400, closeTimeoutMs: 10_000 });
    const dead = await server.accepted();
    dead.socket.pause();
    for (let n = 1; n <= 300; n += 1) await transport.send(message(n, size));
    await transport.close();
    dead.socket.resume();
    await Promise.all(server.connections.map(({ closed }) => closed));
    const received = server.connections.flatMap(({ lines }) =>
      lines.map((line) => Number(JSON.parse(line).n)),
    );
    expect(server.connections.length).toBeGreaterThan(1);
    expect(new Set(received).size).toBe(300);
  });

  it.each(['\r\nx-evil: 1', 'é', '✓', ' '])('[WS22] the id %j breaks no header', async (id) => {
    const { server, near, far } = await dialAccepted({}, { surviveDrops: true });
    const line = JSON.stringify({ type: 'user', uuid: id });
    await near.send(line);
    expect(await readLines(far.receive(), 1)).toEqual([line]);
    await comeBack(server, near);
    expect(server.requests[1]?.headers).not.toHaveProperty('x-last-request-id');
    const other = new WebSocket(server.url);
    const [response] = await once(other, 'upgrade');
    expect(response.headers).not.toHaveProperty('x-evil');
    expect(response.headers).not.toHaveProperty('x-last-request-id');
    other.terminate();
  });
});
