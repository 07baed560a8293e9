import { describe, expect, it } from 'vitest';
import { REQUEST_LOG_LIMIT } from '../src/server/request-log.ts';
import { ask, model, post, said, turns, user } from './client.ts';

describe('request log', () => {
  it('[SM32] keeps what was asked and what answered, and no secret', async () => {
    const server = await turns({ name: 'greet', say: ['hi'] });
    await fetch(`${server.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer secret-1',
        'x-api-key': 'secret-2',
        cookie: 'secret-3',
        'x-app': 'cli',
      },
      body: JSON.stringify(user('hello')),
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      id: expect.stringMatching(/^req_/),
      method: 'POST',
      path: '/v1/messages',
      headers: {
        authorization: '[redacted]',
        'x-api-key': '[redacted]',
        cookie: '[redacted]',
        'x-app': 'cli',
      },
      body: user('hello'),
      state: 'answered',
      status: 200,
      turn: 'greet',
      background: false,
      lastUserText: 'hello',
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(server.requests)).not.toContain('secret-');
  });

  it('[SM32] keeps the newest five hundred', async () => {
    const server = await model('puppet');
    for (let i = 0; i < REQUEST_LOG_LIMIT + 10; i++)
      await fetch(`${server.url}/probe/${i}`, { method: 'HEAD' });
    expect(server.requests).toHaveLength(REQUEST_LOG_LIMIT);
    expect(server.requests[0]?.path).toBe('/probe/10');
  });

  it('[SM33] waits for a request that came already, or will come, or gives up by name', async () => {
    const server = await turns({ say: ['hi'] });
    const later = server.waitForRequest((request) => request.lastUserText === 'second');
    await said(server, user('first'));
    await said(server, user('second'));
    expect((await later).lastUserText).toBe('second');
    expect((await server.waitForRequest((request) => request.lastUserText === 'first')).turn).toBe(
      'turns[0]',
    );
    await expect(
      server.waitForRequest((request) => request.lastUserText === 'third', 20),
    ).rejects.toMatchObject({
      code: 'MODEL_WAIT_TIMEOUT',
      message: 'no request fitted within 20 ms; 2 came',
    });
  });

  it('[SM33] sees a request while its answer is still on the way', async () => {
    const server = await turns({ say: ['a', { delay_ms: 60_000 }] });
    const pending = post(server, user('hi', { stream: true }));
    expect((await server.waitForRequest((request) => request.turn === 'turns[0]')).state).toBe('open');
    await (await pending).body?.cancel();
  });

  it('[SM34] starts over on reset, and plays another scenario when told to', async () => {
    const server = await turns({ times: 1, say: ['once'] });
    const { requests } = server;
    const cached = user('hi', { cache_control: { type: 'ephemeral' } });
    expect(await said(server, cached)).toBe('once');
    server.injectFault({ kind: 'status', status: 500 });
    server.reset();
    expect(requests).toHaveLength(0);
    expect(await ask(server, cached)).toMatchObject({
      content: [{ text: 'once' }],
      usage: { cache_read_input_tokens: 0 },
    });
    await server.setScenario('puppet');
    expect(await said(server, user('say other'))).toBe('other');
    await expect(server.setScenario('nobody')).rejects.toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
    expect(await said(server, user('say still here'))).toBe('still here');
  });
});
