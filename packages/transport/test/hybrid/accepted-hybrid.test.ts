import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LIMITS } from '@signalbox/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RECEIVE_HIGH_WATER_BYTES } from '../../src/line-queue.ts';
import { readLines, rejectionOf, untilState } from '../conversation.ts';
import { connectHybridPair, type Fate, type HybridPair } from './hybrid-pair.ts';

let pair: HybridPair;
afterEach(() => pair.cleanup());

interface Posted {
  status: number;
  body: string;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const GZIP_HEADERS = { ...JSON_HEADERS, 'content-encoding': 'gzip' };
const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

async function post(body: string, headers: Record<string, string> = JSON_HEADERS): Promise<Posted> {
  const response = await fetch(pair.eventsUrl, { method: 'POST', headers, body });
  return { status: response.status, body: await response.text() };
}

/** A POST whose answer is watched as it comes. */
function postAndWatch(body: string) {
  const seen = { status: 0, body: '' };
  const sending: ClientRequest = request(pair.eventsUrl, {
    method: 'POST',
    headers: JSON_HEADERS,
    agent: false,
  });
  sending.on('error', () => {});
  const ended = new Promise<Posted>((resolve) => {
    sending.once('response', (response) => {
      seen.status = response.statusCode ?? 0;
      response.on('data', (chunk: Buffer) => {
        seen.body += chunk.toString();
      });
      response.once('close', () => resolve(seen));
    });
  });
  sending.end(body);
  return { seen, ended, abandon: () => sending.destroy() };
}

/** What another POST is answered; 0 when it waits for the consumer. */
async function nextStatus(): Promise<number> {
  const next = postAndWatch('{"events":[]}');
  await delay(50);
  next.abandon();
  return next.seen.status;
}

/** Events enough to put the consumer behind. */
const flood = `{"events":[${JSON.stringify('x'.repeat(2 * RECEIVE_HIGH_WATER_BYTES))}]}`;

describe("the server's end of a hybrid client", () => {
  it('[HY20] posted events and lines that came over the socket reach the one consumer', async () => {
    pair = await connectHybridPair({ client: { keepAliveIntervalMs: 200 } });
    const received = pair.server.receive();
    expect(await post('{"events":[{"type":"user"},{"type":"result"}]}')).toEqual({ status: 200, body: '{}' });
    const lines = await readLines(received, 3);
    expect(lines.toSorted()).toEqual(['{"type":"keep_alive"}', '{"type":"result"}', '{"type":"user"}']);
  });

  it('[HY20] it waits for its client to dial again, and takes events meanwhile', async () => {
    pair = await connectHybridPair({ client: { reconnect: { baseDelayMs: 200, maxDelayMs: 200 } } });
    pair.cutSockets();
    await untilState(pair.server, 'reconnecting');
    await pair.client.send('"meanwhile"');
    expect(await readLines(pair.server.receive(), 1)).toEqual(['"meanwhile"']);
    expect(pair.server.state).toBe('reconnecting');
    await untilState(pair.server, 'connected');
    await pair.server.send('"hello"');
    expect(await readLines(pair.client.receive(), 1)).toEqual(['"hello"']);
  });

  it('[HY20] told not to wait, it fails when the client is gone', async () => {
    pair = await connectHybridPair({ server: { surviveDrops: false } });
    const received = pair.server.receive();
    await pair.client.send('1');
    expect(await readLines(received, 1)).toEqual(['1']);
    pair.cutSockets();
    expect(await rejectionOf(received.next())).toMatchObject({ code: 'TRANSPORT_FAILED' });
  });

  it.each([
    { what: 'half a body', body: '{"events":', status: 400, problem: '{"events":[<message>, …]}' },
    {
      what: 'a body of no type',
      body: '{"events":[1]}',
      headers: {},
      status: 415,
      problem: 'application/json',
    },
    { what: 'a form', body: 'events=1', headers: FORM_HEADERS, status: 415, problem: 'application/json' },
    { what: 'a packed body', body: '{"events":[1]}', headers: GZIP_HEADERS, status: 415, problem: 'gzip' },
    { what: 'a long body', body: `{"events":[${'1'.repeat(1000)}]}`, status: 413, problem: '1000 bytes' },
  ])(
    '[HY21] $what is answered $status and why, and events go on',
    async ({ body, headers, status, problem }) => {
      pair = await connectHybridPair({ server: { maxBodyBytes: 1000 } });
      const answer = await post(body, headers);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.stringContaining(problem) });
      await pair.client.send('"next"');
      expect(await readLines(pair.server.receive(), 1)).toEqual(['"next"']);
    },
  );

  it('[HY21] a body of undeclared length is refused as soon as it is too long', async () => {
    pair = await connectHybridPair({ server: { maxBodyBytes: 1000 } });
    const sending = request(pair.eventsUrl, { method: 'POST', headers: JSON_HEADERS, agent: false });
    const answered = new Promise<number>((resolve) => {
      sending.once('response', (response) => resolve(text(response).then(() => response.statusCode ?? 0)));
    });
    sending.write(`{"events":["${'x'.repeat(2000)}`);
    expect(await answered).toBe(413);
    sending.destroy();
  });

  it('[HY21] a body that is said to be too long is refused before it is sent', async () => {
    pair = await connectHybridPair({ server: { maxBodyBytes: 1000 } });
    const headers = { ...JSON_HEADERS, 'content-length': 2000 };
    const sending = request(pair.eventsUrl, { method: 'POST', headers, agent: false });
    const answered = new Promise<number>((resolve) => {
      sending.once('response', (response) => resolve(response.statusCode ?? 0));
    });
    sending.write('{');
    expect(await answered).toBe(413);
    sending.destroy();
  });

  it('[HY21] content-type may carry a charset', async () => {
    pair = await connectHybridPair();
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(await post('{"events":[1]}', headers)).toMatchObject({ status: 200 });
  });

  it('[HY21] after the end events are answered 410', async () => {
    pair = await connectHybridPair();
    await pair.server.close();
    expect(await post('{"events":[1]}')).toMatchObject({ status: 410 });
  });

  it('[HY22] an answer ends when the consumer has caught up, and shows signs of life before', async () => {
    pair = await connectHybridPair({ server: { signOfLifeMs: 10 } });
    const { seen, ended } = postAndWatch(flood);
    await expect.poll(() => seen.body.length).toBeGreaterThan(2);
    expect(seen).toMatchObject({ status: 200, body: expect.stringMatching(/^ +$/) });
    await readLines(pair.server.receive(), 1);
    expect((await ended).body).toMatch(/^ +\{\}$/);
  });

  it('[HY22] signs of life keep a client that times out from posting again', async () => {
    const postTimeoutMs = 2000;
    pair = await connectHybridPair({ server: { signOfLifeMs: 20 }, client: { postTimeoutMs } });
    void pair.client.send(JSON.stringify('x'.repeat(2 * RECEIVE_HIGH_WATER_BYTES)));
    await delay(2 * postTimeoutMs);
    expect(pair.posts()).toBe(1);
    expect(pair.client.state).toBe('connected');
  });

  it('[HY22] no body is read while the consumer is behind', async () => {
    pair = await connectHybridPair();
    const first = postAndWatch(flood);
    await expect.poll(() => first.seen.status).toBe(200);
    const second = postAndWatch('{"events":["second"]}');
    await delay(50);
    expect(second.seen.status).toBe(0);
    const received = pair.server.receive();
    await readLines(received, 1);
    expect((await second.ended).status).toBe(200);
    expect(await readLines(received, 1)).toEqual(['"second"']);
  });

  it('[HY23] so many POSTs are dealt with at once, and one that its client gave up leaves its place', async () => {
    pair = await connectHybridPair();
    const first = postAndWatch(flood);
    await expect.poll(() => first.seen.status).toBe(200);
    const posts = [first, ...Array.from({ length: LIMITS.postsAtOnce.most - 1 }, () => postAndWatch(flood))];
    await expect.poll(() => pair.posts()).toBe(LIMITS.postsAtOnce.most);
    expect(await post('{"events":[1]}')).toMatchObject({ status: 429 });
    for (const { abandon } of posts) abandon();
    await expect.poll(nextStatus).toBe(0);
  });

  it('[HY23] a POST whose client is gone before it is looked at takes no place', async () => {
    const fates: Fate[] = [
      'answered',
      ...Array.from({ length: LIMITS.postsAtOnce.most }, (): Fate => 'too late'),
    ];
    pair = await connectHybridPair({ fate: () => fates.shift() ?? 'answered' });
    const first = postAndWatch(flood);
    await expect.poll(() => first.seen.status).toBe(200);
    for (let n = 0; n < LIMITS.postsAtOnce.most; n += 1) {
      const late = postAndWatch('{"events":[1]}');
      await expect.poll(() => pair.posts()).toBe(n + 2);
      late.abandon();
    }
    await expect.poll(nextStatus).toBe(0);
  });

  it('[HY23] a POST after the end is answered at once, though what came over the socket was never read', async () => {
    pair = await connectHybridPair();
    const socket = new WebSocket(pair.socketUrl);
    await once(socket, 'open');
    for (let n = 0; n < 4; n += 1) socket.send(JSON.stringify('x'.repeat(RECEIVE_HIGH_WATER_BYTES)));
    const waiting = postAndWatch('{"events":[1]}');
    await delay(50);
    expect(waiting.seen.status).toBe(0);
    await pair.server.close();
    expect((await waiting.ended).status).toBe(410);
    expect(await post('{"events":[1]}')).toMatchObject({ status: 410 });
    socket.terminate();
  });

  it('[HY23] a consumer that is gone leaves nobody waiting once the transport closes', async () => {
    pair = await connectHybridPair();
    const { seen, ended } = postAndWatch(flood);
    await expect.poll(() => seen.status).toBe(200);
    await pair.server.close();
    expect((await ended).body).toBe('{}');
  });
});
