import { describe, expect, it } from 'vitest';
import { ask, type Body, model, said, turns, user } from './client.ts';

const TOOLS = { tools: [{ name: 'Bash' }] };
const format = (properties: unknown) => ({
  output_config: { format: { type: 'json_schema', schema: { type: 'object', properties } } },
});

const SIDE_REQUESTS: readonly (readonly [string, Body])[] = [
  ['probe', user('quota', { max_tokens: 1 })],
  ['title', user('<session>\nfix the flaky test please\n</session>', format({ title: { type: 'string' } }))],
  ['suggestion', user('[SUGGESTION MODE: suggest what comes next]', TOOLS)],
  ['command prefix', user('<policy_spec>\n# Bash command prefix detection\n</policy_spec>\nCommand: ls')],
  [
    'file paths',
    user('Command: ls', { system: 'Extract any file paths that this command reads or modifies.' }),
  ],
  ['summary', user('Your task is to create a detailed summary of the conversation so far', TOOLS)],
];

describe('background', () => {
  it('[SM20] answers the side requests of real agents without using up a turn or a fault', async () => {
    const server = await model({ name: 'test', order: 'strict', turns: [{ say: ['mine'] }] });
    server.injectFault({ kind: 'status', status: 529 });
    for (const [name, body] of SIDE_REQUESTS) {
      expect((await ask(server, body)).content).toHaveLength(1);
      expect(server.requests.at(-1)).toMatchObject({ turn: name, background: true });
    }
    await expect(said(server, user('hi'))).rejects.toThrow();
    expect(await said(server, user('hi'))).toBe('mine');
  });

  it('[SM20] answers a request for structured output with a value of its schema', async () => {
    const properties = {
      isNewTopic: { type: 'boolean' },
      title: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      kind: { enum: ['bug', 'feature'] },
      tags: { type: 'array', items: { type: 'string' } },
      size: { type: 'integer' },
    };
    const body = user('fix the flaky test in the parser module please', format(properties));
    expect(JSON.parse(await said(await model('puppet'), body))).toEqual({
      isNewTopic: true,
      title: 'fix the flaky test in the',
      kind: 'bug',
      tags: [],
      size: 0,
    });
  });

  it("[SM20] prefers the scenario's own background rules, and leaves the built-in ones out on request", async () => {
    const own = await model({
      name: 'own',
      background: [{ name: 'pulse', when: { user: 'ping' }, say: ['pong {{lastUserText}}'] }],
      turns: [{ times: 1, say: ['mine'] }],
    });
    expect(await said(own, user('ping', { max_tokens: 1 }))).toBe('pong ping');
    expect(own.requests[0]).toMatchObject({ turn: 'pulse', background: true });
    expect(await said(own, user('hi'))).toBe('mine');

    const none = await model({ name: 'none', builtin_background: false, turns: [{ say: ['mine'] }] });
    expect(await said(none, user('quota', { max_tokens: 1 }))).toBe('mine');
  });

  it('[SM20] leaves a plain request without tools to the script', async () => {
    expect(await said(await turns({ say: ['mine'] }), user('hi'))).toBe('mine');
  });
});
