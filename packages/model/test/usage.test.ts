import { describe, expect, it } from 'vitest';
import { countTokens } from '../src/index.ts';
import { ask, type Body, post, stream, turns, user } from './client.ts';

const CACHED = { cache_control: { type: 'ephemeral' } };

async function counted(server: { url: string }, body: Body): Promise<unknown> {
  const asked = { ...body, max_tokens: undefined };
  return await (await post(server, asked, '/v1/messages/count_tokens')).json();
}

/** The three kinds of input tokens, and their sum. */
async function input(server: { url: string }, body: Body) {
  const { usage } = await ask(server, body);
  const { input_tokens: plain, cache_creation_input_tokens: written, cache_read_input_tokens: read } = usage;
  return { plain, written, read, sum: plain + written + read };
}

const system = [{ type: 'text', text: 'Be kind. '.repeat(40), ...CACHED }];
const tools = [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }];

describe('usage', () => {
  it('[SM4] counts the same input for count_tokens as for the reply, cached or not', async () => {
    const server = await turns({ say: ['hi'] });
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'x'.repeat(50_000) },
    };
    for (const body of [
      user('hello'),
      user('hello', { system, tools }),
      user([{ type: 'text', text: 'hello', ...CACHED }, image], { system: 'Be kind.', tools }),
    ]) {
      const { sum } = await input(server, body);
      expect(await counted(server, body)).toEqual({ input_tokens: sum });
      expect(sum).toBeGreaterThan(0);
    }
    expect(await counted(server, user('x'.repeat(401)))).toEqual({ input_tokens: 101 });
  });

  it('[SM30] reads on the second request what the first one wrote, and adds up on both', async () => {
    const server = await turns({ say: ['hi'] });
    const first = await input(server, user('hello there', { system, tools }));
    expect(first).toMatchObject({ plain: countTokens('hello there'), read: 0 });
    expect(first.written).toBeGreaterThan(0);
    const second = await input(server, user('something else', { system, tools }));
    expect(second).toEqual({
      ...second,
      read: first.written,
      written: 0,
      plain: countTokens('something else'),
    });
    const other = await input(
      server,
      user('hello there', { system: [{ ...system[0], text: 'Be cruel.' }], tools }),
    );
    expect(other.read).toBe(0);
  });

  it('[SM30] grows the cached prefix with the conversation, however the client spells a message', async () => {
    const server = await turns({ say: ['hi'] });
    const question = 'a question of some length';
    const first = await input(server, user([{ type: 'text', text: question, ...CACHED }], { system }));
    const messages = [
      { role: 'user', content: question },
      { role: 'assistant', content: [{ type: 'text', text: 'an answer', ...CACHED }] },
      { role: 'user', content: 'and another question' },
    ];
    expect(await input(server, user('', { messages, system }))).toMatchObject({
      read: first.written,
      written: countTokens('an answer'),
      plain: countTokens('and another question'),
    });
  });

  it('[SM30] caches nothing where no cache_control is, and the whole prompt where the request itself has it', async () => {
    const server = await turns({ say: ['hi'] });
    const plain = user('hello', { system: 'Be kind.' });
    await input(server, plain);
    expect(await input(server, plain)).toMatchObject({ written: 0, read: 0 });
    const automatic = { ...plain, ...CACHED };
    const { written } = await input(server, automatic);
    expect(await input(server, automatic)).toEqual({ plain: 0, written: 0, read: written, sum: written });
  });

  it('[SM31] bills exactly the output that was streamed', async () => {
    const call = { command: 'ls' };
    const server = await turns({
      say: [{ thinking: 'Hm, well.' }, 'One two three.', { tool: 'Bash', input: call }],
    });
    const events = await stream(server, user('hi'));
    const joined = (key: 'text' | 'thinking' | 'partial_json') =>
      events.map((event) => event.delta?.[key] ?? '').join('');
    const expected =
      countTokens(joined('thinking')) +
      countTokens(joined('text')) +
      countTokens(`Bash${joined('partial_json')}`);
    expect(events.at(-2)?.usage?.output_tokens).toBe(expected);
    expect((await ask(server, user('hi'))).usage.output_tokens).toBe(expected);
    expect(expected).toBe(3 + 4 + 5);
  });

  it('[SM31] lets a turn state its own usage', async () => {
    const usage = {
      input_tokens: 1,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 3,
      output_tokens: 4,
    };
    const server = await turns({ say: ['hi'], usage });
    expect((await ask(server, user('hello'))).usage).toMatchObject(usage);
    expect((await stream(server, user('hello'))).at(-2)?.usage).toMatchObject(usage);
  });
});
