import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { HubApi } from 'signalbox/hub';
import { describe, expect, it, onTestFinished } from 'vitest';
import { socketFetch } from '../src/hub/socket-fetch.ts';

const ME = JSON.stringify({ id: 'd', person: 'Bob', name: 'laptop', scope: 'admin', session: null });
const SIZE = ME.length;
const HALF = SIZE >> 1;

/** In two parts, the first of which says more than its size. */
const CHUNKS = `${HALF.toString(16)};x=y\r\n${ME.slice(0, HALF)}\r\n${(SIZE - HALF).toString(16).toUpperCase()}\r\n${ME.slice(HALF)}\r\n`;

const WHOLE: Record<string, string> = {
  'its length': `HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n${ME}`,
  'its length twice': `HTTP/1.1 200 OK\r\ncontent-length: ${SIZE}\r\nContent-Length:${SIZE}\r\n\r\n${ME}`,
  parts: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}0\r\n\r\n`,
  'parts and what comes after them': `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}0\r\nx: y\r\n\r\n`,
  'no length': `HTTP/1.0 200\r\n\r\n${ME}`,
  'word that it takes time': `HTTP/1.1 102 Processing\r\nx: y\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${SIZE}\r\n\r\n${ME}`,
  'line ends without returns': `HTTP/1.1 200 OK\ncontent-length: ${SIZE}\n\n${ME}`,
};

const BROKEN: Record<string, string> = {
  nothing: '',
  'half a head': 'HTTP/1.1 200 OK\r\ncontent-len',
  'half a body': `HTTP/1.1 200 OK\r\ncontent-length: ${SIZE}\r\n\r\n${ME.slice(0, HALF)}`,
  'parts without an end': `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`,
};

const OTHER: Record<string, string> = {
  'another protocol': '220 mail.example ESMTP\r\n',
  'another version': 'HTTP/2 200\r\n\r\n',
  'a length in words': 'HTTP/1.1 200 OK\r\ncontent-length: ten\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
  'a length and parts': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
  'a coding': 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n',
  'a head without an end': `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`,
  'a line without an end': `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`,
  'a part of no size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n',
  'a part of minus one': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n',
  'a part that is longer than it says': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n',
};

/** Somebody at a socket who answers so; `asked` has what each connection was sent. */
async function peer(answer: (socket: Socket) => void) {
  const path = join(temporaryFolder(), 'hub.sock');
  const asked: string[] = [];
  const left: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    const index = asked.push('') - 1;
    left.push(new Promise((resolve) => socket.once('close', resolve)));
    socket.on('error', () => {});
    socket.on('data', (data) => (asked[index] += data.toString()));
    socket.once('data', () => answer(socket));
  }).listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const ask = socketFetch(() => path);
  return { api: new HubApi({ url: 'http://localhost', token: 't', fetch: ask }), ask, asked, left };
}

const REQUEST = { method: 'GET', headers: {} };

describe('a request over the socket of a hub', () => {
  it.each(Object.entries(WHOLE))(
    '[CL3750] reads an answer with %s, whole or byte by byte',
    async (_, answer) => {
      const { api, left } = await peer((socket) => socket.end(answer));
      expect(await api.me()).toMatchObject({ person: 'Bob' });
      const slow = await peer((socket) => {
        socket.setNoDelay(true);
        for (const byte of Buffer.from(answer)) socket.write(Buffer.of(byte));
        socket.end();
      });
      expect(await slow.api.me()).toMatchObject({ person: 'Bob' });
      await Promise.all([...left, ...slow.left]);
    },
  );

  it('[CL3750] leaves once it has the answer, also when the other side would stay', async () => {
    const { api, left } = await peer((socket) => socket.write(WHOLE['its length'] ?? ''));
    expect(await api.me()).toMatchObject({ person: 'Bob' });
    await Promise.all(left);
  });

  it('[CL3750] an answer without a body has ended with its head', async () => {
    const { ask } = await peer((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const answer = await ask('http://localhost/', { ...REQUEST, signal: new AbortController().signal });
    expect([answer.ok, answer.status, await answer.text()]).toEqual([true, 204, '']);
  });

  it.each(Object.entries(BROKEN))('[CL3751] %s is a connection that was closed', async (_, answer) => {
    const { ask, left } = await peer((socket) => socket.end(answer));
    const reading = async () =>
      (await ask('http://localhost/', { ...REQUEST, signal: new AbortController().signal })).text();
    await expect(reading()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await Promise.all(left);
  });

  it.each(Object.entries(OTHER))(
    '[CL3751] %s is no answer of a hub, and is not read on',
    async (_, answer) => {
      const { ask, left } = await peer((socket) => socket.write(answer));
      const reading = async () =>
        (await ask('http://localhost/', { ...REQUEST, signal: new AbortController().signal })).text();
      await expect(reading()).rejects.toMatchObject({ code: 'HUB_REFUSED', reason: 'ANSWER_UNREADABLE' });
      await Promise.all(left);
    },
  );

  it('[CL3751] ends at its limit of time, before the answer and in it', async () => {
    const ending = new AbortController();
    const silent = await peer(() => ending.abort(new Error('enough')));
    const before = silent.ask('http://localhost/', { ...REQUEST, signal: ending.signal });
    await expect(before).rejects.toMatchObject({ name: 'AbortError' });
    await Promise.all(silent.left);
    await expect(silent.ask('http://localhost/', { ...REQUEST, signal: ending.signal })).rejects.toThrow(
      'enough',
    );

    const later = new AbortController();
    const slow = await peer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'));
    const answer = await slow.ask('http://localhost/', { ...REQUEST, signal: later.signal });
    const rest = answer.text();
    later.abort();
    await expect(rest).rejects.toMatchObject({ name: 'AbortError' });
    await Promise.all(slow.left);
  });

  it('[CL3752] says how long its body is in bytes, and sends nothing that would begin another request', async () => {
    const { ask, asked } = await peer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    const { signal } = new AbortController();
    const headers = { authorization: 'Bearer t' };
    await ask('http://localhost/api/x?y=ü z', { method: 'POST', headers, body: 'grüße', signal });
    await until(() => asked[0]?.endsWith('grüße') === true);
    expect(asked[0]).toBe(
      'POST /api/x?y=%C3%BC%20z HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer t\r\ncontent-length: 7\r\n\r\ngrüße',
    );
    await ask('http://localhost/', { method: 'DELETE', headers, signal });
    expect(asked[1]).toContain('\r\ncontent-length: 0\r\n');
    const evil = { authorization: 'Bearer t\r\nx: y' };
    await expect(ask('http://localhost/', { method: 'GET', headers: evil, signal })).rejects.toThrow('token');
    expect(asked).toHaveLength(2);
  });
});
