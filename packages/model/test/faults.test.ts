import { describe, expect, it } from 'vitest';
import type { FaultInput, ScriptedModel } from '../src/index.ts';
import { frames, model, post, refusal, said, splitFrames, stream, turns, user } from './client.ts';

const streamed = user('hi', { stream: true });

function faulty(fault: FaultInput): Promise<ScriptedModel> {
  return turns({ say: [{ fault }, 'one two three'] });
}

/** What arrived of a reply before its connection broke. */
async function untilBroken(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  await expect(async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  }).rejects.toThrow();
  return text;
}

describe('faults', () => {
  it('[SM21] refuse with a status, in the form of the API', async () => {
    for (const [status, type] of [
      [401, 'authentication_error'],
      [403, 'permission_error'],
      [429, 'rate_limit_error'],
      [500, 'api_error'],
      [529, 'overloaded_error'],
    ] as const) {
      const server = await faulty({ kind: 'status', status, retry_after_s: 7 });
      const response = await post(server, streamed);
      expect(response.headers.get('retry-after')).toBe('7');
      expect(await refusal(response)).toMatchObject({ status, error: { type } });
      expect(server.requests[0]).toMatchObject({ status, state: 'refused' });
    }
  });

  it('[SM22] cut the connection after exactly so many events', async () => {
    for (const after of [0, 1, 4]) {
      const server = await faulty({ kind: 'cut', after });
      const text = await untilBroken(await post(server, streamed));
      expect(splitFrames(text)).toHaveLength(after);
      await server.waitForRequest((one) => one.state === 'broken');
    }
  });

  it('[SM22] strike where they stand in the script', async () => {
    const server = await turns({ say: ['one', { fault: { kind: 'cut', after: 2 } }, 'two', 'three'] });
    const events = splitFrames(await untilBroken(await post(server, streamed))).map(({ event }) => event);
    expect(events.join(' ')).toBe(
      'message_start content_block_start ping content_block_delta content_block_stop ' +
        'content_block_start content_block_delta',
    );
  });

  it('[SM23] send an event that is not JSON, and go on', async () => {
    const list = await frames(await post(await faulty({ kind: 'malformed', after: 3 }), streamed));
    const broken = list.filter(({ data }) => {
      try {
        return JSON.parse(data) === undefined;
      } catch {
        return true;
      }
    });
    expect(broken).toEqual([list[3]]);
    expect(list.at(-1)?.event).toBe('message_stop');
  });

  it('[SM24] end a stream with an error event', async () => {
    const events = await stream(await faulty({ kind: 'error', after: 4 }), user('hi'));
    expect(events).toHaveLength(5);
    expect(events[4]).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
  });

  it('[SM25] stall for a time, or until the client leaves', async () => {
    const started = Date.now();
    const events = await stream(await faulty({ kind: 'stall', after: 2, ms: 150 }), user('hi'));
    expect(Date.now() - started).toBeGreaterThanOrEqual(145);
    expect(events.at(-1)?.type).toBe('message_stop');

    const server = await faulty({ kind: 'stall', after: 2 });
    const response = await post(server, streamed);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(splitFrames(new TextDecoder().decode(first?.value))).toHaveLength(2);
    expect(server.requests[0]?.state).toBe('open');
    await reader?.cancel();
    await server.waitForRequest((one) => one.state === 'left');
  });

  it('[SM26] slow down the tokens, as a turn, a scenario or the latency of a server can', async () => {
    const timed = async (server: ScriptedModel) => {
      const started = performance.now();
      await stream(server, user('hi'));
      return performance.now() - started;
    };
    const say = ['one two three four'];
    expect(
      await timed(await turns({ say: [{ fault: { kind: 'slow', token_delay_ms: 30 } }, ...say] })),
    ).toBeGreaterThan(115);
    expect(await timed(await turns({ say, token_delay_ms: 30 }))).toBeGreaterThan(115);
    expect(await timed(await model({ name: 'slow', token_delay_ms: 30, turns: [{ say }] }))).toBeGreaterThan(
      115,
    );
    expect(await timed(await turns({ say: [...say, { delay_ms: 120 }] }))).toBeGreaterThan(115);
    expect(await timed(await model({ name: 'late', turns: [{ say }] }, { latencyMs: 120 }))).toBeGreaterThan(
      115,
    );
  });

  it('[SM27] strike only the first so many requests, and a failed answer uses up no turn', async () => {
    const server = await turns(
      { times: 1, say: [{ fault: { kind: 'status', status: 529, first: 2 } }, 'at last'] },
      { say: ['next'] },
    );
    expect((await post(server, user('hi'))).status).toBe(529);
    expect((await post(server, user('hi'))).status).toBe(529);
    expect(await said(server, user('hi'))).toBe('at last');
    expect(await said(server, user('hi'))).toBe('next');
  });

  it('[SM28] strike one after the other when they are injected', async () => {
    const server = await turns({ say: ['fine'] });
    server.injectFault({ kind: 'status', status: 429, first: 2 });
    server.injectFault({ kind: 'status', status: 500 });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await post(server, user('hi'))).status);
    expect(statuses).toEqual([429, 429, 500, 200]);

    server.injectFault({ kind: 'status', status: 500 });
    server.clearFaults();
    expect(await said(server, user('hi'))).toBe('fine');
    // @ts-expect-error a fault that no schema knows
    expect(() => server.injectFault({ kind: 'bang' })).toThrow("kind: expected one of 'status'");
  });

  it('[SM28] can be injected and cleared over HTTP, by nothing that a page in a browser can send unasked', async () => {
    const server = await turns({ say: ['fine'] });
    const inject = (body: unknown) => post(server, body, '/_signalbox/faults');
    expect((await inject({ kind: 'status', status: 529 })).status).toBe(201);
    expect((await post(server, user('hi'))).status).toBe(529);
    expect(await refusal(await inject({ kind: 'status' }))).toMatchObject({
      status: 400,
      error: { message: 'the fault is not valid:\n  status: missing; expected number' },
    });
    await inject({ kind: 'status', status: 529 });
    await fetch(`${server.url}/_signalbox/faults`, { method: 'DELETE' });
    expect(await said(server, user('hi'))).toBe('fine');
    const form = await fetch(`${server.url}/_signalbox/faults`, { method: 'POST', body: '{"kind":"cut"}' });
    expect(form.status).toBe(415);
  });

  it('[SM28] keeps no more than a thousand of them waiting', async () => {
    const server = await turns({ say: ['fine'] });
    for (let i = 0; i < 1000; i++) server.injectFault({ kind: 'cut' });
    expect(() => server.injectFault({ kind: 'cut' })).toThrow(
      expect.objectContaining({ code: 'FAULT_QUEUE_FULL' }),
    );
  });

  it('[SM29] have their counterparts where nothing is streamed', async () => {
    await expect(post(await faulty({ kind: 'cut' }), user('hi'))).rejects.toThrow();
    const malformed = await post(await faulty({ kind: 'malformed' }), user('hi'));
    await expect(malformed.json()).rejects.toThrow(SyntaxError);
    expect((await post(await faulty({ kind: 'error' }), user('hi'))).status).toBe(529);
    expect(await said(await faulty({ kind: 'stall', ms: 20 }), user('hi'))).toBe('one two three');
    expect(await said(await faulty({ kind: 'slow', token_delay_ms: 5 }), user('hi'))).toBe('one two three');
  });
});
