import { afterEach, describe, expect, it } from 'vitest';
import { POST_HIGH_WATER_BYTES } from '../../src/hybrid/event-poster.ts';
import { rejectionOf, sendAll, untilStill } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { answerWith, type EventSink, linesOf, startEventSink } from './event-sink.ts';

let sink: EventSink;
afterEach(() => sink.stop());

describe('how a hybrid transport waits and closes', () => {
  it('[HY17] send() waits while more than the high-water mark is unsent, and goes on when it is not', async () => {
    let isSlow = true;
    const answers: (() => void)[] = [];
    sink = await startEventSink((_post, response) => {
      if (isSlow) answers.push(() => response.end());
      else response.end();
    });
    const client = await sink.connect();
    const size = 64 * 1024;
    let taken = 0;
    const lines = Array.from({ length: 64 }, (_, n) => numberedLine(n, size));
    const writing = (async () => {
      for (const line of lines) {
        await client.send(line);
        taken += 1;
      }
    })();
    await untilStill(() => taken);
    expect(taken * size).toBeGreaterThan(POST_HIGH_WATER_BYTES / 2);
    expect(taken * size).toBeLessThanOrEqual(POST_HIGH_WATER_BYTES);
    isSlow = false;
    for (const answer of answers) answer();
    await writing;
    await client.close();
    expect(linesOf(sink.posts).findIndex((line, n) => line !== lines[n])).toBe(-1);
  });

  it('[HY17] a writer that waits hears why the transport failed', async () => {
    const answers: (() => void)[] = [];
    sink = await startEventSink((post, response) => {
      answers.push(() => answerWith(401)(post, response));
    });
    const client = await sink.connect();
    const waiting = rejectionOf(client.send(numberedLine(0, 2 * POST_HIGH_WATER_BYTES)));
    await expect.poll(() => answers.length).toBe(1);
    answers[0]?.();
    expect(await waiting).toMatchObject({ code: 'HYBRID_POST_REFUSED' });
  });

  it('[HY18] close() delivers what was taken, retries included, and the socket says goodbye after it', async () => {
    sink = await startEventSink(
      (post, response) => void response.writeHead(post.index < 3 ? 503 : 200).end(),
    );
    const client = await sink.connect();
    const lines = Array.from({ length: 1000 }, (_, n) => `${n}`);
    await sendAll(client, lines);
    await client.close();
    expect(new Set(linesOf(sink.posts))).toEqual(new Set(lines));
    expect(await sink.socket.receive().next()).toMatchObject({ done: true });
  });

  it('[HY18] close() delivers what was taken even if the socket breaks meanwhile', async () => {
    sink = await startEventSink((post, response) => {
      if (post.index === 0) sink.cut();
      else response.end();
    });
    const client = await sink.connect();
    await client.send('1');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1', '1']);
  });

  it('[HY18] close() lets go of every connection', async () => {
    sink = await startEventSink();
    const client = await sink.connect();
    await client.send('1');
    await expect.poll(() => sink.posts.length).toBe(1);
    expect(sink.connections()).toBe(2);
    await client.close();
    await expect.poll(() => sink.connections()).toBe(0);
  });

  it('[HY18] close() gives up after its time and says how many lines are lost', async () => {
    sink = await startEventSink(() => {});
    const client = await sink.connect({ closeTimeoutMs: 50 });
    await sendAll(client, ['1', '2', '3']);
    expect(await rejectionOf(client.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: 3 });
    expect(client.state).toBe('closed');
  });

  it('[HY18] close() says how many lines are lost when the server refuses them', async () => {
    sink = await startEventSink(answerWith(404));
    const client = await sink.connect();
    await sendAll(client, ['1', '2', '3']);
    expect(await rejectionOf(client.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: 3 });
  });

  it('[HY18] close() waits no longer once the server has said goodbye', async () => {
    sink = await startEventSink(() => {});
    const client = await sink.connect({ closeTimeoutMs: 60_000 });
    await sendAll(client, ['1', '2']);
    const closing = rejectionOf(client.close());
    await sink.socket.close();
    expect(await closing).toMatchObject({ code: 'LINES_UNDELIVERED', count: 2 });
  });

  it('[HY18] close() of a transport that never dialed waits for nothing', async () => {
    sink = await startEventSink();
    const client = sink.dial({ closeTimeoutMs: 60_000 });
    await client.send('1');
    expect(await rejectionOf(client.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: 1 });
    await sink.dial().close();
  });

  it('[HY19] a server that closed is no failure, also when a POST hears of it first', async () => {
    sink = await startEventSink((post, response) => {
      answerWith(410)(post, response);
      const { socket } = sink;
      setTimeout(() => void socket.close(), 50);
    });
    const client = await sink.connect();
    await client.send('1');
    expect(await client.receive().next()).toMatchObject({ done: true });
    expect(client.state).toBe('closed');
  });

  it('[HY19] a server that closed while lines were delivered keeps close() no longer than its goodbye', async () => {
    sink = await startEventSink((post, response) => {
      answerWith(410)(post, response);
      void sink.socket.close();
    });
    const client = await sink.connect({ closeTimeoutMs: 60_000 });
    await client.send('1');
    expect(await rejectionOf(client.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: 1 });
    expect(await client.receive().next()).toMatchObject({ done: true });
  });

  it('[HY19] 410 without a goodbye on the socket is a refusal', async () => {
    sink = await startEventSink(answerWith(410));
    const client = await sink.connect();
    await client.send('1');
    const error = await rejectionOf(client.receive().next());
    expect(error).toMatchObject({ code: 'HYBRID_POST_REFUSED', status: 410 });
  });
});
