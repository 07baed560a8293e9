import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { POST_MAX_BYTES, POST_MAX_LINES } from '../../src/hybrid/event-poster.ts';
import { rejectionOf, sendAll, untilState } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { type Answer, type EventSink, linesOf, startEventSink } from './event-sink.ts';

let sink: EventSink;
afterEach(() => sink.stop());

describe('what a hybrid transport posts', () => {
  it('[HY2] a line travels in {"events":[…]}, not re-serialised, to where events go', async () => {
    sink = await startEventSink();
    const client = await sink.connect();
    const odd = '{ "b":1,"a" : 1.0, "b":2, "text":"\\u00e9" }';
    await client.send(odd);
    await client.close();
    expect(sink.posts).toMatchObject([{ url: '/session/some-session/events', body: `{"events":[${odd}]}` }]);
    expect(sink.posts[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('[HY2] a buffer that is used again after send() does not change what was sent', async () => {
    sink = await startEventSink();
    const client = await sink.connect();
    const buffer = Buffer.from('"first"');
    await client.send(buffer);
    buffer.fill('x');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['"first"']);
  });

  it('[HY8] a POST says who it is from as the WebSocket does, with the token of the moment', async () => {
    sink = await startEventSink();
    const env: NodeJS.ProcessEnv = {
      CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'one',
      CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION: '3',
    };
    const client = await sink.connect({ env, ingressToken: 'unused', headers: { 'x-more': 'yes' } });
    await client.send('1');
    await expect.poll(() => sink.posts.length).toBe(1);
    env.CLAUDE_CODE_SESSION_ACCESS_TOKEN = 'two';
    await client.send('2');
    await client.close();
    const same = { 'x-environment-runner-version': '3', 'x-more': 'yes' };
    expect(sink.posts.map((post) => post.headers)).toMatchObject([
      { ...same, authorization: 'Bearer one' },
      { ...same, authorization: 'Bearer two' },
    ]);
  });

  it('[HY9] one POST is under way at a time; what gathers meanwhile goes together into the next', async () => {
    let underWay = 0;
    let mostUnderWay = 0;
    const slowly: Answer = (_post, response) => {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.end();
      }, 20);
    };
    sink = await startEventSink(slowly);
    const client = await sink.connect();
    const lines = Array.from({ length: 50 }, (_, n) => numberedLine(n));
    await client.send(lines[0] ?? '');
    await expect.poll(() => sink.posts.length).toBe(1);
    await sendAll(client, lines.slice(1));
    await client.close();
    expect(linesOf(sink.posts)).toEqual(lines);
    expect(sink.posts).toHaveLength(2);
    expect(mostUnderWay).toBe(1);
  });

  it('[HY9] lines sent in one turn of the event loop leave together', async () => {
    sink = await startEventSink();
    const client = await sink.connect();
    await Promise.all(['1', '2', '3'].map((line) => client.send(line)));
    await client.close();
    expect(sink.posts.map((post) => post.body)).toEqual(['{"events":[1,2,3]}']);
  });

  it('[HY10] a POST carries so many lines and bytes at most, and a longer line alone', async () => {
    sink = await startEventSink();
    const client = await sink.connect();
    const small = Array.from({ length: 2 * POST_MAX_LINES }, (_, n) => `${n}`);
    const big = Array.from({ length: 4 }, (_, n) => numberedLine(n, POST_MAX_BYTES / 3));
    const huge = numberedLine(0, 2 * POST_MAX_BYTES);
    const lines = [...small, ...big, huge, '"last"'];
    await Promise.all(lines.map((line) => client.send(line)));
    await client.close();
    expect(linesOf(sink.posts).findIndex((line, n) => line !== lines[n])).toBe(-1);
    const counts = sink.posts.map((post) => linesOf([post]).length);
    expect(counts).toEqual([POST_MAX_LINES, POST_MAX_LINES, 2, 2, 1, 1]);
  });

  it('[HY11] a line that is not JSON is refused, and nothing of it is sent', async () => {
    sink = await startEventSink();
    const client = await sink.connect();
    for (const line of ['x', '{', '1,2', '1]}', '{}],"x":[{}', Buffer.from('1 2')]) {
      expect(await rejectionOf(client.send(line))).toMatchObject({ code: 'LINE_NOT_JSON' });
    }
    await client.send('1');
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1']);
  });

  it('[HY12] nothing is posted before the first connection', async () => {
    sink = await startEventSink();
    const client = sink.dial();
    await client.send('1');
    await delay(50);
    expect(sink.posts).toEqual([]);
    await client.connect();
    await client.close();
    expect(linesOf(sink.posts)).toEqual(['1']);
  });

  it('[HY12] posting goes on while the socket is away, and lines come in again when it is back', async () => {
    sink = await startEventSink();
    const client = await sink.connect({
      reconnect: { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 10, maxDelayMs: 10 },
    });
    const received = client.receive();
    await sink.socket.send('"before"');
    expect((await received.next()).value?.text()).toBe('"before"');
    sink.door.isOpen = false;
    sink.cut();
    await untilState(client, 'reconnecting');
    await client.send('"meanwhile"');
    await expect.poll(() => linesOf(sink.posts)).toEqual(['"meanwhile"']);
    expect(client.state).toBe('reconnecting');
    sink.door.isOpen = true;
    await untilState(client, 'connected');
    await sink.socket.send('"after"');
    expect((await received.next()).value?.text()).toBe('"after"');
  });
});
