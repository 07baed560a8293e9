import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { driveAgent, isResult } from './drive-agent.ts';

const DEEP = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

/** A model whose reply is these events, whatever it is asked. */
async function modelThatSays(events: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const { type }: { type: string } = JSON.parse(event);
      response.write(`event: ${type}\ndata: ${event}\n\n`);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has a port
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const usage = { input_tokens: 1, output_tokens: 1 };
const START = JSON.stringify({
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, usage },
});
const block = (input: string): string =>
  `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Bash","input":${input}}}`;
const delta = (partial_json: string): string =>
  JSON.stringify({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  });
const END = [
  '{"type":"content_block_stop","index":0}',
  JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage }),
  '{"type":"message_stop"}',
];

describe('what nests too deep', () => {
  it.each([
    ['in the parts of an input', [START, block('{}'), delta(DEEP), ...END]],
    ['in the start of a block', [START, block(DEEP), ...END]],
  ])(
    '[AG300] of a model, %s, ends the turn with an error that says so, and the agent lives',
    async (_, events) => {
      const url = await modelThatSays(events);
      const agent = await driveAgent({ env: { ANTHROPIC_BASE_URL: url, CLAUDE_CODE_MAX_RETRIES: '0' } });
      await agent.say('go');
      expect(await agent.next(isResult)).toMatchObject({
        is_error: true,
        result: expect.stringMatching(/levels deep/),
      });
      expect(await agent.peer.request({ subtype: 'set_model', model: 'other' })).toEqual({});
    },
  );

  it('[AG300] of a host is refused where it asks, and is a named error where it does not', async () => {
    const agent = await driveAgent();
    await agent.transport.send(
      `{"type":"control_request","request_id":"deep","request":{"subtype":"set_model","model":${DEEP}}}`,
    );
    await agent.say('say still here');
    expect(await agent.next(isResult)).toMatchObject({ result: 'still here' });
    await agent.transport.send(`{"type":"user","message":{"role":"user","content":[${DEEP}]}}`);
    const { code } = await agent.transport.exited;
    expect(code).toBe(1);
    expect(agent.transport.stderrTail).toContain('levels deep');
  });
});

/** A model that sends a reply in these pieces, as fast as they are taken, until nobody listens. */
async function modelThatWrites(pieces: () => Iterable<string>): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    Readable.from(pieces()).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has a port
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const KIB = 1024;
const sent = (event: { type: string; [field: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const begun = (index: unknown): string =>
  sent({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
const part = sent({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(64 * KIB) },
});
const often = (times: number, text: string): string[] => Array.from({ length: times }, () => text);

describe('a reply that has no end', () => {
  const start = `event: message_start\ndata: ${START}\n\n`;
  it.each([
    ['of 64 MB of text', () => [start, begun(0), ...often(1000, part)], /8388608 characters/],
    [
      'of one line of 64 MB',
      () => [start, 'data: {"a":"', ...often(1000, 'x'.repeat(64 * KIB))],
      /8388608 bytes/,
    ],
    [
      'of one event of many lines',
      () => [start, ...often(20_000, `data: ${'x'.repeat(KIB)}\n`)],
      /8388608 bytes/,
    ],
    ['with a block far ahead', () => [start, begun(4_294_967_294)], /out of its order: 4294967294/],
    ['with a block that is no number', () => [start, begun('__proto__')], /out of its order: __proto__/],
  ])(
    '[AG530] %s ends the turn with an error that says so, and the agent lives',
    async (_, pieces, problem) => {
      const url = await modelThatWrites(pieces);
      const agent = await driveAgent({ env: { ANTHROPIC_BASE_URL: url, CLAUDE_CODE_MAX_RETRIES: '0' } });
      await agent.say('go');
      expect(await agent.next(isResult)).toMatchObject({
        is_error: true,
        result: expect.stringMatching(problem),
      });
      expect(await agent.peer.request({ subtype: 'set_model', model: 'other' })).toEqual({});
    },
  );
});
