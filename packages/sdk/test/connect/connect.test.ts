import { EVENT_MS } from '@signalbox/testing/event-limit';
import { describe, expect, it, vi } from 'vitest';
import { connect, type SDKMessage } from '../../src/index.ts';
import { collect, fakeAgent, OBEDIENT, prompt, thrownBy } from '../fake-agent.ts';
import { relay } from './agent-relay.ts';

const WAIT = { timeout: EVENT_MS, interval: 20 };
const SOON = { baseDelayMs: 20, maxDelayMs: 50 };

describe('connect', () => {
  it('[SD150] a prompt is a turn of the agent behind the peer; the query ends with it, the agent does not', async () => {
    const fake = await fakeAgent(OBEDIENT);
    const peer = await relay(fake, { lossless: true });
    const messages = await collect(connect(peer.url, 'secret', { prompt: 'hello' }));
    expect(messages.map(({ type }) => type)).toEqual(['result']);
    expect(await fake.heard('user')).toMatchObject([{ message: { content: [{ text: 'hello' }] } }]);
    expect(peer.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(peer.agent.state).toBe('connected');
  });

  it('[SD150] prompts of an iterable are answered before the query ends', async () => {
    const fake = await fakeAgent('return { user: () => setTimeout(() => result(), 100) };');
    const peer = await relay(fake);
    async function* prompts() {
      yield prompt('one');
    }
    const messages = await collect(connect(peer.url, undefined, { prompt: prompts() }));
    expect(messages.map(({ type }) => type)).toEqual(['result']);
  });

  it('[SD151] without a prompt it listens and steers; close ends it', async () => {
    const fake = await fakeAgent(
      'return { user: () => result(), interrupt: (said) => answer(said, { still_queued: ["a"] }) };',
    );
    const peer = await relay(fake);
    const query = connect(peer.url);
    expect(await query.supportedCommands()).toMatchObject([{ name: 'c' }]);
    expect(await query.interrupt()).toEqual({ still_queued: ['a'] });
    await peer.agent.send(JSON.stringify(prompt('from somebody else')));
    expect((await query.next()).value).toMatchObject({ type: 'result' });
    query.close();
    expect((await query.next()).done).toBe(true);
    await vi.waitFor(() => expect(peer.transport.state).toBe('closed'), WAIT);
  });

  it('[SD152] callbacks answer the agent, and questions that were open before are asked again', async () => {
    const fake = await fakeAgent(`
      const question = (request_id) => ({ type: 'control_request', request_id,
        request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { n: request_id }, tool_use_id: 't' } });
      let answers = 0;
      return {
        initialize: ({ request_id }) => {
          const response = { subtype: 'error', request_id, error: 'Already initialized', pending_permission_requests: [question('open')] };
          out({ type: 'control_response', response });
          out(question('new'));
        },
        control_response: () => { answers += 1; if (answers === 2) result(); },
      };`);
    const peer = await relay(fake);
    const asked: unknown[] = [];
    const query = connect(peer.url, undefined, {
      canUseTool: async (_name, input) => {
        asked.push(input['n']);
        return { behavior: 'deny', message: 'no' };
      },
    });
    expect((await query.next()).value).toMatchObject({ type: 'result' });
    expect(asked).toEqual(['open', 'new']);
    await query.return(undefined);
  });

  it('[SD153] on a lossless link a break costs no message', async () => {
    const fake = await fakeAgent(`return { user: () => {
      let n = 0;
      const timer = setInterval(() => {
        n += 1;
        out({ type: 'assistant', n });
        if (n === 100) { clearInterval(timer); result(); }
      }, 2);
    } };`);
    const peer = await relay(fake, { lossless: true });
    const numbers: unknown[] = [];
    for await (const message of connect(peer.url, undefined, { prompt: 'count', reconnect: SOON })) {
      const { n }: SDKMessage & { n?: unknown } = message;
      if (n === undefined) continue;
      numbers.push(n);
      if (n === 10 || n === 50) peer.drop();
    }
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    expect(peer.requests.length).toBeGreaterThan(1);
  });

  it('[SD154] a peer that cannot be reached, or stays away, is an error after what was said', async () => {
    const fake = await fakeAgent(`return { user: () => out({ type: 'assistant' }) };`);
    const peer = await relay(fake);
    const query = connect(peer.url, undefined, { prompt: 'hello', reconnect: { ...SOON, attempts: 0 } });
    expect((await query.next()).value).toMatchObject({ type: 'assistant' });
    peer.drop();
    expect(await thrownBy(query.next())).toMatchObject({ cause: { code: 'CONNECTION_LOST' } });

    const nobody = connect('ws://127.0.0.1:1', undefined, { prompt: 'x', reconnect: { attempts: 0 } });
    expect(await thrownBy(collect(nobody))).toMatchObject({ cause: { code: 'CONNECTION_LOST' } });
    const nowhere = connect('nonsense', undefined, { prompt: 'x' });
    expect(await thrownBy(collect(nowhere))).toMatchObject({ cause: { code: 'URL_INVALID' } });
  });
});
