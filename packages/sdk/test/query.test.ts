import { describe, expect, it } from 'vitest';
import { type Options, query } from '../src/index.ts';
import { collect, fakeAgent, OBEDIENT, prompt, thrownBy } from './fake-agent.ts';

const ASKING: Options = { canUseTool: async () => ({ behavior: 'allow' }) };

async function* prompts(...texts: string[]) {
  for (const text of texts) yield prompt(text);
}

describe('query', () => {
  it('[SD1] a text is one turn: what the agent says up to its result, then the end', async () => {
    const agent = await fakeAgent(`return { user: () => { out({ type: 'assistant', n: 1 }); result(); } };`);
    const messages = await collect(query({ prompt: 'hello', options: agent.options() }));
    expect(messages.map(({ type }) => type)).toEqual(['assistant', 'result']);
    expect(await agent.heard('user')).toEqual([
      {
        type: 'user',
        session_id: '',
        message: { role: 'user', content: [{ type: 'text', text: 'hello' }] },
        parent_tool_use_id: null,
      },
    ]);
    expect((await agent.log()).at(-1)).toEqual({ inputEnded: true });
  });

  it('[SD2] an iterable is as many turns as it yields prompts', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const turn: { ended?: () => void } = {};
    async function* conversation() {
      yield prompt('one');
      await new Promise<void>((resolve) => {
        turn.ended = resolve;
      });
      yield prompt('two');
    }
    let results = 0;
    for await (const message of query({ prompt: conversation(), options: agent.options(ASKING) })) {
      if (message.type === 'result') results += 1;
      turn.ended?.();
    }
    expect(results).toBe(2);
    expect((await agent.heard('user')).map(({ message }) => message)).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
  });

  it('[SD3] input ends with the iterable when the agent has nobody to ask', async () => {
    const agent = await fakeAgent(`return { user: () => {}, end: () => { result(); process.exit(0); } };`);
    const messages = await collect(query({ prompt: prompts('one', 'two'), options: agent.options() }));
    expect(messages.map(({ type }) => type)).toEqual(['result']);
  });

  it('[SD3] with callbacks it stays open until no turn is left', async () => {
    const agent = await fakeAgent(`let turns = 0; return { user: () => {
      turns += 1;
      if (turns === 2) { result({ queued_turn_count: 1 }); setTimeout(() => { log({ second: true }); result(); }, 100); }
    } };`);
    const messages = await collect(query({ prompt: prompts('one', 'two'), options: agent.options(ASKING) }));
    expect(messages.length).toBe(2);
    expect((await agent.log()).slice(-2)).toEqual([{ second: true }, { inputEnded: true }]);
  });

  it('[SD3] an agent that reports its state keeps its input until it is idle', async () => {
    const agent = await fakeAgent(`
      const say = (state) => out({ type: 'system', subtype: 'session_state_changed', state });
      return { user: () => { say('running'); result(); setTimeout(() => { log({ idle: true }); say('idle'); }, 100); } };`);
    await collect(query({ prompt: 'x', options: agent.options() }));
    expect((await agent.log()).slice(-2)).toEqual([{ idle: true }, { inputEnded: true }]);
  });

  it('[SD4] prompts that throw end the conversation with what they threw', async () => {
    const agent = await fakeAgent(OBEDIENT);
    async function* broken() {
      yield prompt('one');
      throw new Error('no more');
    }
    const error = await thrownBy(collect(query({ prompt: broken(), options: agent.options() })));
    expect(error).toEqual(new Error('no more'));
  });

  it('[SD5] a message of a kind that is not known is handed over as it is', async () => {
    const agent = await fakeAgent(`return { user: () => {
      out({ type: 'novelty', field: { deep: [1] } }); out({ type: 'keep_alive' }); out({ untyped: true }); result();
    } };`);
    const messages: unknown[] = await collect(query({ prompt: 'x', options: agent.options() }));
    expect(messages.slice(0, 2)).toEqual([{ type: 'novelty', field: { deep: [1] } }, { untyped: true }]);
    expect(messages.length).toBe(3);
  });

  it('[SD6] what something prints beside the messages is skipped', async () => {
    const agent = await fakeAgent(`return { user: () => {
      out('(node:1) Warning: careful'); out('42'); out('null'); out('[1]'); result();
    } };`);
    const messages = await collect(query({ prompt: 'x', options: agent.options() }));
    expect(messages.map(({ type }) => type)).toEqual(['result']);
  });

  it('[SD6] a message that is broken is an error, after all that came before it', async () => {
    const agent = await fakeAgent(`return { user: () => { result(); out('{"type":"assistant", "mess'); } };`);
    const conversation = query({ prompt: prompts('x'), options: agent.options(ASKING) });
    expect((await conversation.next()).value).toMatchObject({ type: 'result' });
    const error = await thrownBy(conversation.next());
    expect(error).toMatchObject({ code: 'JSON_DECODE', line: '{"type":"assistant", "mess' });
    expect(await conversation.next()).toEqual({ done: true, value: undefined });
  });

  it('[SD300] what nests too deep is refused where the agent asks, rejects what waits for it, and is an error else', async () => {
    const deep = `const deep = '{"a":'.repeat(20000) + '1' + '}'.repeat(20000);`;
    const asking = await fakeAgent(`${deep} return { user: () => {
      out('{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":' + deep + '}}');
    }, control_response: () => { result(); } };`);
    await collect(query({ prompt: 'x', options: asking.options(ASKING) }));
    expect(await asking.heard('control_response')).toMatchObject([
      { response: { subtype: 'error', request_id: 'q', error_code: 'json_too_deep' } },
    ]);
    const answering = await fakeAgent(`${deep} return { user: () => {}, set_model: ({ request_id }) => {
      out('{"type":"control_response","response":{"subtype":"success","request_id":"' + request_id + '","response":' + deep + '}}');
    }, interrupt: () => { out('{"type":"assistant","message":' + deep + '}'); } };`);
    const conversation = query({ prompt: prompts('x'), options: answering.options(ASKING) });
    expect(await thrownBy(conversation.setModel('other'))).toMatchObject({ code: 'JSON_TOO_DEEP' });
    const interrupting = conversation.interrupt().catch(() => {});
    const error = await thrownBy(conversation.next());
    expect(error).toMatchObject({ code: 'JSON_DECODE', cause: { code: 'JSON_TOO_DEEP' } });
    await interrupting;
  });

  it('[SD7] an answer is read past messages that nobody has read yet', async () => {
    const agent = await fakeAgent(`return { user: () => {
      for (let n = 0; n < 2000; n += 1) out({ type: 'assistant', n, filler: 'x'.repeat(1000) });
    }, set_model: (request) => { answer(request, {}); result(); } };`);
    const conversation = query({ prompt: prompts('x'), options: agent.options(ASKING) });
    await conversation.next();
    await conversation.setModel('other');
    expect((await collect(conversation)).length).toBe(2000);
  });

  it('[SD7] messages that nobody reads make the agent wait at the limit', async () => {
    const agent = await fakeAgent(`
      const mega = JSON.stringify({ type: 'assistant', filler: 'x'.repeat(1024 * 1024) });
      let sent = 0;
      const pump = () => { while (sent < 100) { sent += 1; if (!process.stdout.write(mega + '\\n')) { log({ sent }); process.stdout.once('drain', pump); return; } } result(); };
      return { user: pump };`);
    const conversation = query({ prompt: 'x', options: agent.options() });
    await conversation.next();
    const sent = async () =>
      (await agent.log()).reduce((most, entry) => Math.max(most, Number(entry['sent'] ?? 0)), 0);
    await expect.poll(sent).toBeGreaterThan(50);
    let before = 0;
    // That it stands still has no event: one that was only slow could not be told from one that waits.
    for (let now = await sent(); now > before; now = await sent()) {
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    expect(before).toBeLessThan(80);
    expect((await collect(conversation)).length).toBe(100);
  });
});
