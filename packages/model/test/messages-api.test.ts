import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { afterTools, ask, type Message, model, post, refusal, said, stream, turns, user } from './client.ts';

const CALL = { tool: 'Bash', input: { command: 'echo "naïve 🚂"', timeout: 5 } };
const EVERYTHING = {
  say: [{ thinking: 'Hm, let me see.', signature: 'c2ln' }, 'Two words', CALL],
};

describe('streamed replies', () => {
  it('[SM1] streams the events of the real API, in its order', async () => {
    const events = await stream(await turns(EVERYTHING), user('hi'));
    const types = events.map((event) => event.delta?.type ?? event.content_block?.type ?? event.type);
    expect(types.filter((type, i) => type !== types[i - 1]).join(' ')).toBe(
      'message_start ' +
        'thinking ping thinking_delta signature_delta content_block_stop ' +
        'text text_delta content_block_stop ' +
        'tool_use input_json_delta content_block_stop ' +
        'message_delta message_stop',
    );
    expect(events[0]?.message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [],
      stop_reason: null,
      usage: { output_tokens: 1 },
    });
    expect(events.find((event) => event.content_block?.type === 'tool_use')?.content_block).toMatchObject({
      input: {},
    });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use', stop_sequence: null } });
    expect(events.at(-2)?.usage?.output_tokens).toBeGreaterThan(0);
  });

  it('[SM1] joins deltas to exactly what the script says', async () => {
    const events = await stream(await turns(EVERYTHING), user('hi'));
    const joined = (index: number, key: 'text' | 'thinking' | 'signature' | 'partial_json') =>
      events
        .filter((event) => event.index === index)
        .map((event) => event.delta?.[key] ?? '')
        .join('');
    expect(joined(0, 'thinking')).toBe('Hm, let me see.');
    expect(joined(0, 'signature')).toBe('c2ln');
    expect(joined(1, 'text')).toBe('Two words');
    expect(JSON.parse(joined(2, 'partial_json'))).toEqual({ command: 'echo "naïve 🚂"', timeout: 5 });
  });

  it('[SM1] never splits a character between two deltas', async () => {
    const text = '🚂'.repeat(100);
    const events = await stream(await turns({ say: [{ tool: 'Say', input: { text } }] }), user('hi'));
    const chunks = events.flatMap((event) => event.delta?.partial_json ?? []);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.filter((chunk) => /\p{Surrogate}/u.test(chunk))).toEqual([]);
    expect(JSON.parse(chunks.join(''))).toEqual({ text });
  });

  it('[SM1] streams a reply of a million characters', async () => {
    const text = 'departure '.repeat(100_000);
    const events = await stream(await turns({ say: [text] }), user('hi'));
    expect(events.map((event) => event.delta?.text ?? '').join('') === text).toBe(true);
  });

  it('[SM1] is served as an event stream with a request id', async () => {
    const response = await post(await turns({ say: ['x'] }), user('hi', { stream: true }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    await response.text();
  });
});

describe('other answers', () => {
  it('[SM2] sends the same message whole when streaming was not asked for', async () => {
    const reply = await ask(await turns(EVERYTHING), user('hi'));
    expect(reply).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'tool_use' });
    expect(reply.content).toEqual([
      { type: 'thinking', thinking: 'Hm, let me see.', signature: 'c2ln' },
      { type: 'text', text: 'Two words' },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'Bash', input: CALL.input },
    ]);
  });

  it('[SM2] passes through blocks and stop reasons that the script spells out', async () => {
    const block = { type: 'redacted_thinking', data: 'x' };
    const server = await turns({ say: [{ block }], stop_reason: 'refusal' });
    expect(await ask(server, user('hi'))).toMatchObject({ content: [block], stop_reason: 'refusal' });
    const events = await stream(server, user('hi'));
    expect(events.find((event) => event.type === 'content_block_start')?.content_block).toEqual(block);
  });

  it('[SM3] gives every message and tool call an id of its own, on every server', async () => {
    const replies: Message[] = [];
    for (const server of [await turns(EVERYTHING), await turns(EVERYTHING)]) {
      replies.push(await ask(server, user('a')), await ask(server, user('b')));
    }
    const ids = replies.flatMap((reply) => [reply.id, reply.content[2]?.id]);
    expect(new Set(ids).size).toBe(8);
  });

  it('[SM5] lists its models and knows each by its id', async () => {
    const { url } = await model('puppet');
    const id = 'claude-sonnet-4-5-20250929';
    const one = { type: 'model', id, display_name: expect.any(String), created_at: expect.any(String) };
    const list = await (await fetch(`${url}/v1/models?limit=1000`)).json();
    expect(list).toMatchObject({ data: expect.arrayContaining([one]), has_more: false });
    expect(await (await fetch(`${url}/v1/models/${id}`)).json()).toEqual(one);
    expect((await fetch(`${url}/v1/models/nobody`)).status).toBe(404);
  });
});

describe('what it refuses', () => {
  it('[SM6] answers every failure in the form of the API, with its request id', async () => {
    const { url } = await model('puppet');
    for (const [path, method, status, type] of [
      ['/nowhere', 'GET', 404, 'not_found_error'],
      ['/v1/messages', 'GET', 405, 'invalid_request_error'],
      ['/v1/messages', 'POST', 400, 'invalid_request_error'],
    ] as const) {
      const response = await fetch(`${url}${path}`, { method });
      const body = await refusal(response);
      expect([body.status, body.error.type]).toEqual([status, type]);
      expect(body.error.message).toBeTruthy();
      expect(body.request_id).toBe(response.headers.get('request-id'));
    }
    expect((await fetch(`${url}/v1/messages`)).headers.get('allow')).toBe('POST');
  });

  it('[SM7] takes query strings, and answers the probes of real clients with a plain 404', async () => {
    const server = await model('puppet');
    expect((await post(server, user('say hi'), '/v1/messages?beta=true')).status).toBe(200);
    for (const path of ['/', '/api/hello', '/v1/oauth/hello?x=1']) {
      const head = await fetch(`${server.url}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([404, '']);
    }
  });

  it('[SM8] names the field of a body it cannot take', async () => {
    const server = await model('puppet');
    const { messages, ...noMessages } = user('hi');
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [noMessages, /^messages: Field required/],
      [{ messages, max_tokens: 1 }, /^model: Field required/],
      [{ messages, model: 'm' }, /^max_tokens: Field required/],
      [user('hi', { max_tokens: 0 }), /^max_tokens: /],
      [user('hi', { messages: [] }), /^messages: /],
      [user('hi', { messages: [{ role: 'robot', content: 'x' }] }), /^messages\.0\.role: /],
      [[], /^body: /],
    ];
    for (const [body, message] of cases) {
      const { status, error } = await refusal(await post(server, body));
      expect([status, error.message]).toEqual([400, expect.stringMatching(message)]);
    }
    const broken = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{"model": ' });
    expect(await refusal(broken)).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(/not valid JSON/) },
    });
  });

  it('[SM9] refuses a body over 32 MiB with 413, whether or not its size was announced', async () => {
    const server = await model('puppet');
    const { port } = server;
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (const headers of [{ 'content-length': 33 * chunk.length }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        const call = request(
          { port, host: '127.0.0.1', path: '/v1/messages', method: 'POST', headers },
          (response) => {
            let body = '';
            response.setEncoding('utf8').on('data', (text: string) => (body += text));
            response.on('end', () => resolve({ status: response.statusCode, body }));
          },
        );
        call.on('error', reject);
        for (let i = 0; i < 33; i++) call.write(chunk);
        call.end();
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body).error.type).toBe('request_too_large');
    }
    expect(server.requests.map((logged) => logged.body)).toEqual([undefined, undefined]);
  });

  it('[SM10] refuses a tool call without its result, and a result without its call', async () => {
    const server = await turns({ say: ['fine'] });
    const call = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }],
    };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] };
    const hi = { role: 'user', content: 'hi' };
    const say = (...messages: unknown[]) => said(server, user('', { messages }));
    const refused = async (...messages: unknown[]) =>
      (await refusal(await post(server, user('', { messages })))).error.message;
    expect(await refused(hi, call, hi)).toMatch(/without `tool_result` blocks immediately after: toolu_1/);
    expect(await refused(hi, result)).toMatch(/unexpected `tool_use_id`.*toolu_1/);
    expect(await say(hi, call, result, result)).toBe('fine');
    expect(
      await say(
        hi,
        { role: 'assistant', content: 'well' },
        call,
        { role: 'system', content: 'note' },
        result,
      ),
    ).toBe('fine');
    expect(
      await said(
        server,
        afterTools([
          { tool: 'A', content: 'x' },
          { tool: 'B', content: 'y' },
        ]),
      ),
    ).toBe('fine');
  });
});

describe('leaving', () => {
  it('[SM11] stops speaking when the client leaves in mid-stream', async () => {
    const server = await turns({
      say: ['{{1|words}}'],
      when: { user: { matches: '(\\d+)' } },
      token_delay_ms: 5,
    });
    const leave = new AbortController();
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(user('1000', { stream: true })),
      signal: leave.signal,
    });
    await response.body?.getReader().read();
    leave.abort();
    const logged = await server.waitForRequest((one) => one.state === 'left');
    // The whole reply would have taken five seconds of pauses and more.
    expect(logged.state).toBe('left');
  });

  it('[SM12] listens on loopback only, and closes in the middle of a reply, twice if asked', async () => {
    const server = await turns({ say: ['a', { delay_ms: 60_000 }, 'b'] });
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const response = await post(server, user('hi', { stream: true }));
    await server.close();
    await expect(response.text()).rejects.toThrow();
    await server.close();
    await expect(post(server, user('hi'))).rejects.toThrow();
  });
});
