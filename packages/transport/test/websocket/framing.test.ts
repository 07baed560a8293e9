import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { readLines, readToEnd, rejectionOf, sendAll } from '../conversation.ts';
import { DIFFICULT_LINES, numberedLine } from '../sample-lines.ts';
import { textOf } from './bare-server.ts';
import { accepted, client, dialBare, startServer } from './scene.ts';

const LIMIT = 1000;
const TOO_LONG = { code: 'TRANSPORT_FAILED', cause: expect.objectContaining({ code: 'LINE_TOO_LONG' }) };

describe('framing', () => {
  it('[WS14] a frame holds any number of lines, with any line end or none', async () => {
    const { server, transport } = await dialBare();
    const { socket } = await server.accepted();
    socket.send('1\n2\r\n\n \r\n3');
    socket.send('4');
    socket.send('');
    socket.send('\ufeff5\r\n');
    socket.send(Buffer.from('6\n7'));
    expect(await readLines(transport.receive(), 7)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  it('[WS14] bytes that are no UTF-8 are passed on as they came', async () => {
    const { server, transport } = await dialBare();
    const bytes = Buffer.from([0x22, 0xff, 0xc3, 0x22]);
    (await server.accepted()).socket.send(bytes, { binary: false });
    const { value } = await transport.receive().next();
    expect(Buffer.from(value?.bytes() ?? [])).toEqual(bytes);
  });

  it.each(['plain', 'lossless'] as const)(
    '[WS320] a frame of very many lines is read bit by bit, in order, over a %s link',
    async (link) => {
      const far = accepted({ lossless: link === 'lossless' });
      const server = await startServer(far);
      const headers = link === 'lossless' ? { 'x-signalbox-link': '1' } : {};
      const socket = new WebSocket(server.url, { headers });
      onTestFinished(() => socket.terminate());
      await once(socket, 'open');
      if (link === 'lossless') {
        socket.send(Buffer.from('{"link":"hello","epoch":"e","received":null}'));
        socket.send(Buffer.from('{"link":"start","number":1}'));
      }
      const count = 200_000;
      socket.send(Array.from({ length: count }, (_, n) => `${n}\n`).join(''), { binary: false });
      const reading = far.receive();
      expect(await readLines(reading, 1)).toEqual(['0']);
      let others = 0;
      const timer = setInterval(() => (others += 1));
      const rest = await readLines(reading, count - 1);
      clearInterval(timer);
      expect(rest).toEqual(Array.from({ length: count - 1 }, (_, n) => String(n + 1)));
      expect(others).toBeGreaterThan(5);
    },
  );

  it('[WS320] a frame that nobody reads waits as bytes, and its rest is there for the one who reads', async () => {
    const far = accepted();
    const server = await startServer(far);
    const socket = new WebSocket(server.url);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    const before = process.memoryUsage().heapUsed;
    socket.send(Buffer.alloc(4_000_000, 'x\n'), { binary: false });
    socket.send('{"last":1}');
    const reading = far.receive();
    await readLines(reading, 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
    for await (const line of reading) if (line.byteLength > 1) break;
  });

  it('[WS15] a plain server sees NDJSON in text frames, whatever it was offered', async () => {
    const { server, transport } = await dialBare({ lossless: true });
    const lines = DIFFICULT_LINES.flatMap((line) => [line, Buffer.from(line)]);
    await sendAll(transport, lines);
    const connection = await server.accepted();
    expect(connection.request.headers['x-signalbox-link']).toBe('1');
    await connection.untilLines(lines.length);
    expect(connection.lines).toEqual(lines.map(String));
    expect(connection.frames.every(({ text, isBinary }) => !isBinary && text.endsWith('\n'))).toBe(true);
    expect(transport.link).toBe('plain');
  });

  it('[WS15] a plain client is answered in text frames, whatever its server could do', async () => {
    const far = accepted({ lossless: true });
    const server = await startServer(far);
    const socket = new WebSocket(server.url);
    onTestFinished(() => socket.terminate());
    const frames: [string, boolean][] = [];
    socket.on('message', (data, isBinary) => frames.push([textOf(data), isBinary]));
    const [[response]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')]);
    expect(response.headers).not.toHaveProperty('x-signalbox-link');
    socket.send('{"type":"user"}');
    expect(await readLines(far.receive(), 1)).toEqual(['{"type":"user"}']);
    await far.send('{"type":"assistant"}');
    await once(socket, 'message');
    expect(frames).toEqual([['{"type":"assistant"}\n', false]]);
    expect(far.link).toBe('plain');
  });

  it('[WS16] a line that is too long ends the transport after the lines before it', async () => {
    const { server, transport } = await dialBare({ maxLineBytes: LIMIT });
    const { socket, closed } = await server.accepted();
    const longest = numberedLine(0, LIMIT - numberedLine(0).length);
    socket.send(`1\n${longest}\n${longest}x\n2\n`);
    const lines = transport.receive();
    expect(await readLines(lines, 2)).toEqual(['1', longest]);
    expect(await rejectionOf(lines.next())).toMatchObject(TOO_LONG);
    expect(await closed).toEqual({ code: 1009, reason: 'LINE_TOO_LONG' });
    expect(server.requests).toHaveLength(1);
  });

  it('[WS16] so does one that no frame may hold', async () => {
    const { server, transport } = await dialBare({ maxLineBytes: LIMIT });
    const { socket, closed } = await server.accepted();
    socket.send('x'.repeat(4 * 1024 * 1024));
    expect(await rejectionOf(readToEnd(transport))).toMatchObject(TOO_LONG);
    expect(await closed).toMatchObject({ code: 1009 });
  });

  it.each(['plain', 'lossless'] as const)(
    '[WS16] on a %s link both ends say so, and neither tries again',
    async (link) => {
      const lossless = link === 'lossless';
      const far = accepted({ lossless, maxLineBytes: LIMIT, surviveDrops: true });
      const server = await startServer(far);
      const near = client(server.url, { lossless });
      await near.connect();
      await near.send('x'.repeat(LIMIT + 1));
      expect(await rejectionOf(readToEnd(far))).toMatchObject(TOO_LONG);
      expect(await rejectionOf(readToEnd(near))).toMatchObject({
        code: 'CONNECTION_LOST',
        message: `The connection to ${server.url.href} was closed: 1009 LINE_TOO_LONG.`,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('[WS17] the limit is of a line, not of what is sent along with it', async () => {
    const far = accepted({ maxLineBytes: LIMIT });
    const server = await startServer(far, { maxLineBytes: LIMIT });
    const near = client(server.url, { maxLineBytes: LIMIT });
    await near.connect();
    const lines = Array.from({ length: 500 }, (_, n) => numberedLine(n, n % (LIMIT - 50)));
    for (const line of lines) void near.send(line);
    expect(await readLines(far.receive(), lines.length)).toEqual(lines);
  });

  it('[WS17] the longest line may follow others', async () => {
    const limit = 2 * 1024 * 1024;
    const far = accepted({ maxLineBytes: limit });
    const server = await startServer(far, { maxLineBytes: limit });
    const near = client(server.url);
    await near.connect();
    const lines = [...Array.from({ length: 100 }, (_, n) => numberedLine(n, 600)), 'x'.repeat(limit)];
    for (const line of lines) void near.send(line);
    expect(await readLines(far.receive(), lines.length)).toEqual(lines);
  });
});
