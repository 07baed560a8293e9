import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_POST_RETRY } from '../../src/hybrid/event-poster.ts';
import { HybridPostFailedError } from '../../src/hybrid/hybrid-errors.ts';
import { rejectionOf } from '../conversation.ts';
import { type Answer, answerWith, type EventSink, linesOf, startEventSink } from './event-sink.ts';

let sink: EventSink;
afterEach(() => sink.stop());

/** Each POST is answered by the next of these; the last one stays. */
function inTurn(...answers: Answer[]): Answer {
  return (post, response) => (answers[post.index] ?? answers.at(-1))?.(post, response);
}

const cutOff: Answer = (_post, response) => void response.destroy();
const halfAnswer: Answer = (_post, response) => {
  response.writeHead(200, { 'content-length': '10' });
  response.write(' ', () => response.destroy());
};
const silence: Answer = () => {};

/** The pauses between posts. */
function pauses(): number[] {
  return sink.posts.slice(1).map((post, index) => post.at - (sink.posts[index]?.at ?? 0));
}

describe('how a hybrid transport tries again', () => {
  it.each([408, 425, 429, 500, 502, 503, 599])('[HY13] an answer of %i is tried again', async (status) => {
    sink = await startEventSink(inTurn(answerWith(status), answerWith(status), answerWith(200)));
    const client = await sink.connect();
    await client.send('1');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1', '1', '1']);
  });

  it('[HY13] a connection that is cut, or silent for too long, is tried again', async () => {
    sink = await startEventSink(inTurn(cutOff, silence, answerWith(200), silence, answerWith(200)));
    // Beside other work an answer may take a while as well, and must not count as silence.
    const client = await sink.connect({ postTimeoutMs: 2000 });
    await client.send('1');
    await expect.poll(() => sink.posts.length).toBe(3);
    await client.send('2');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1', '1', '1', '2', '2']);
  });

  it('[HY13] every attempt of a POST carries the same body and id, the next POST another id', async () => {
    sink = await startEventSink(inTurn(cutOff, answerWith(503), answerWith(200)));
    const client = await sink.connect();
    await client.send('1');
    await expect.poll(() => sink.posts.length).toBe(3);
    await client.send('2');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1', '1', '1', '2']);
    const ids = sink.posts.map((post) => post.headers['idempotency-key']);
    expect(ids).toEqual([ids[0], ids[0], ids[0], ids[3]]);
    expect(new Set(ids).size).toBe(2);
  });

  it('[HY13] an answer whose head says 200 counts, also when the rest is cut off', async () => {
    sink = await startEventSink(inTurn(halfAnswer, answerWith(200)));
    const client = await sink.connect();
    await client.send('1');
    await expect.poll(() => sink.posts.length).toBe(1);
    await client.send('2');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1', '2']);
  });

  it('[HY14] pauses double up to a maximum, each up to half shorter by chance', async () => {
    expect(DEFAULT_POST_RETRY).toEqual({ attempts: 10, baseDelayMs: 500, maxDelayMs: 8000 });
    sink = await startEventSink(inTurn(...Array.from({ length: 9 }, () => answerWith(503)), answerWith(200)));
    const client = await sink.connect({ postRetry: { baseDelayMs: 60, maxDelayMs: 120 } });
    await client.send('1');
    await client.close();
    const least = [30, ...Array.from({ length: 8 }, () => 60)];
    expect(pauses()).toHaveLength(least.length);
    // A timer may fire up to a millisecond early.
    for (const [index, pause] of pauses().entries()) expect(pause).toBeGreaterThan((least[index] ?? 0) - 2);
    // What it would be at least without a maximum: far more than a busy machine adds.
    expect(pauses().at(-1)).toBeLessThan(30 * 2 ** 8);
  });

  it('[HY14] Retry-After decides instead, in seconds or as a date, up to the maximum', async () => {
    const soon = { 'retry-after': '0' };
    const late = { 'retry-after': '3600' };
    const lateDate = { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() };
    const pastDate = { 'retry-after': new Date(0).toUTCString() };
    const pausesAfter = async (delayMs: number, ...headers: Record<string, string>[]): Promise<number[]> => {
      sink = await startEventSink(inTurn(...headers.map((each) => answerWith(429, each)), answerWith(200)));
      const client = await sink.connect({ postRetry: { baseDelayMs: delayMs, maxDelayMs: delayMs } });
      await client.send('1');
      await client.close();
      return pauses();
    };
    expect(Math.min(...(await pausesAfter(500, late, lateDate)))).toBeGreaterThan(498);
    await sink.stop();
    // Its own pause would be half of this at least.
    const delayMs = 40_000;
    expect(Math.max(...(await pausesAfter(delayMs, soon, pastDate)))).toBeLessThan(delayMs / 2);
  });

  it('[HY15] when the attempts are used up the transport fails with HYBRID_POST_FAILED', async () => {
    sink = await startEventSink(answerWith(503));
    const client = await sink.connect({ postRetry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 1 } });
    const received = client.receive();
    await client.send('1');
    const error = await rejectionOf(received.next());
    expect(error).toMatchObject({ code: 'HYBRID_POST_FAILED' });
    expect(String(error)).toMatch(
      /\/session\/some-session\/events failed 4 times, last: the server answered 503/,
    );
    expect(sink.posts).toHaveLength(4);
    expect(client.state).toBe('closed');
    expect(await rejectionOf(client.send('2'))).toMatchObject({ code: 'TRANSPORT_CLOSED' });
  });

  it('[HY15] a header that cannot be sent is a failed attempt, and nothing tells its value', async () => {
    sink = await startEventSink();
    const env: NodeJS.ProcessEnv = {};
    const postRetry = { attempts: 1, baseDelayMs: 1 };
    const client = await sink.connect({ env, postRetry });
    env.CLAUDE_CODE_SESSION_ACCESS_TOKEN = 'secret\n';
    await client.send('1');
    const error = await rejectionOf(client.receive().next());
    expect(error).toMatchObject({ code: 'HYBRID_POST_FAILED' });
    expect(String(error)).not.toContain('secret');
  });

  it('[HY15] a host that refuses at all of its addresses is reported with the reasons', () => {
    const cause = new AggregateError([new Error('first'), new Error('second')]);
    expect(new HybridPostFailedError('http://host/', 1, cause).message).toContain('last: first, second.');
  });

  it.each([
    [400, 'session events'],
    [401, 'access token'],
    [403, 'access token'],
    [404, 'check the URL'],
    [413, 'larger than the server allows'],
    [302, 'session events'],
  ])(
    '[HY16] an answer of %i is final: HYBRID_POST_REFUSED says so and what to do',
    async (status, advice) => {
      sink = await startEventSink(
        answerWith(status, { location: '/elsewhere' }, `because ${'x'.repeat(5000)}`),
      );
      const client = await sink.connect();
      const received = client.receive();
      await client.send('1');
      const error = await rejectionOf(received.next());
      expect(error).toMatchObject({ code: 'HYBRID_POST_REFUSED', status });
      expect(String(error)).toContain(` ${status}. `);
      expect(String(error)).toContain(advice);
      expect(String(error)).toContain('It said: because x');
      expect(String(error).length).toBeLessThan(700);
      expect(sink.posts).toHaveLength(1);
      expect(client.state).toBe('closed');
    },
  );

  it('[HY16] what arrived before the refusal can be read before the error', async () => {
    sink = await startEventSink(answerWith(401));
    const client = await sink.connect();
    await sink.socket.send('"early"');
    // Nothing tells that a line waits to be read: give it the time to arrive.
    await delay(50);
    await client.send('1');
    await expect.poll(() => client.state).toBe('closed');
    const received = client.receive();
    expect((await received.next()).value?.text()).toBe('"early"');
    expect(await rejectionOf(received.next())).toMatchObject({ code: 'HYBRID_POST_REFUSED' });
  });
});
