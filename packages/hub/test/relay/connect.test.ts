import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import {
  call,
  dialAgent,
  startModel,
  startTestHub,
  type TestHub,
  tokenFor,
  until,
} from '@signalbox/testing/hub/test-parts';
import { type ConnectOptions, connect, type Query, type SDKMessage } from 'signalbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cutLine } from './cut-line.ts';

const SOON = { attempts: 200, baseDelayMs: 20, maxDelayMs: 100 };

/** A hub, and the real agent in its session `s`. */
async function stage(flags: readonly string[] = []): Promise<TestHub & { url: string }> {
  const parts = await startTestHub();
  const { hub, store, token } = parts;
  const model = await startModel();
  dialAgent(`${hub.url.replace('http', 'ws')}/ws/s`, token, model.url, flags);
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  return { ...parts, url: `${hub.url}/api/sessions/s` };
}

function listen(url: string, token: string, options: ConnectOptions = {}): Query {
  const query = connect(url, token, { reconnect: SOON, ...options });
  onTestFinished(() => query.close());
  return query;
}

async function collect(query: Query): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of query) messages.push(message);
  return messages;
}

function resultsOf(messages: readonly SDKMessage[]): unknown[] {
  return messages.flatMap((message) =>
    message.type === 'result' && message.subtype === 'success' ? [message.result] : [],
  );
}

/** Gathers what a query says, in the background. */
function gather(query: Query): SDKMessage[] {
  const messages: SDKMessage[] = [];
  void (async () => {
    for await (const message of query) messages.push(message);
  })().catch(() => {});
  return messages;
}

describe('connect() to a session of a hub', () => {
  it('[RY10] is the same query: prompt, parts, messages and the result, and the agent stays', async () => {
    const { url, token, store } = await stage();
    const query = listen(url, token, { prompt: 'say hello' });
    const messages = await collect(query);
    const types: string[] = messages.map(({ type }) => type);
    expect(types.find((type) => type !== 'command_lifecycle')).toBe('system');
    expect(types).toContain('stream_event');
    expect(types).not.toContain('hub');
    expect(types.filter((type) => type === 'user')).toEqual([]);
    expect(resultsOf(messages)).toEqual(['hello']);
    expect((await store.sessions.get('s'))?.state).toBe('idle');
    const again = listen(`${url.replace('http', 'ws')}/wire`, token, { prompt: 'say again' });
    expect((await again.supportedCommands()).map(({ name }) => name)).toContain('compact');
    expect(resultsOf(await collect(again))).toEqual(['again']);
  });

  it('[RY11] asks every host that can answer; the first answer wins, and the others are told', async () => {
    const { url, hub, store, token } = await stage();
    const left: string[] = [];
    const slow = listen(url, token, {
      canUseTool: (name, _input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            left.push(name);
            resolve({ behavior: 'deny', message: 'too late' });
          });
        }),
    });
    await slow.supportedCommands();
    // One without a callback must not decide for those who have one.
    const mute = gather(listen(url, token));
    let asked = 0;
    const quick = listen(url, token, {
      prompt: 'run touch made-by-a-test',
      canUseTool: async () => {
        asked += 1;
        await until(() => mute.some(({ type }) => type === 'assistant'));
        return { behavior: 'allow' };
      },
    });
    expect(resultsOf(await collect(quick))).toHaveLength(1);
    expect(asked).toBe(1);
    await until(() => left.length > 0);
    expect(left).toEqual(['Bash']);
    await until(() => resultsOf(mute).length > 0);
    // The input comes back with every allowance of a host: that is no change, and takes no more than to approve.
    const approver = listen(url, await tokenFor(store, { scope: 'approve' }), {
      canUseTool: async () => ({ behavior: 'allow' }),
    });
    gather(approver);
    const content = 'run touch made-by-another';
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p', content });
    await until(() => resultsOf(mute).length === 2);
  });

  it('[RY12] steers the agent, and is refused what only the one who starts it can set', async () => {
    const { url, token, store } = await stage();
    const query = listen(url, token);
    const said = gather(query);
    await query.setPermissionMode('acceptEdits');
    expect(await query.interrupt()).toEqual({ still_queued: [] });
    await query.setModel('another-model');
    await collect(listen(url, token, { prompt: 'say x' }));
    const init = () => said.find((message) => message.type === 'system' && message.subtype === 'init');
    await until(() => init() !== undefined);
    expect(init()).toMatchObject({
      model: 'another-model',
      permissionMode: 'acceptEdits',
    });
    // What another host said is said to all.
    expect(said.find(({ type }) => type === 'user')).toMatchObject({ isReplay: true });
    const hooked = listen(url, token, { hooks: { Stop: [{ hooks: [async () => ({})] }] }, prompt: 'say y' });
    await expect(collect(hooked)).rejects.toThrow(/other hosts.*hooks cannot be set/);
    const shaped = listen(url, token, { agents: { a: { description: 'd', prompt: 'p' } } });
    await expect(collect(shaped)).rejects.toThrow(/agents cannot be set/);
    const watching = await tokenFor(store, { scope: 'watch' });
    await expect(collect(listen(url, watching, { prompt: 'say z' }))).rejects.toThrow(/FORBIDDEN/);
    // Nor is anything done for a host that was refused: it would be done without its hooks.
    await collect(listen(url, token, { prompt: 'say last' }));
    const { entries } = await store.record.tail('s', 100);
    const record = entries.map((entry) => (entry.kind === 'line' ? entry.line.text() : '')).join();
    expect(record).toContain('say last');
    expect(record).not.toMatch(/say [yz]/);
  });

  it('[RY13] a connection that is cut in mid-turn costs nothing and doubles nothing', async () => {
    const { hub, token, store } = await stage();
    const line = await cutLine(() => hub.port);
    const query = listen(`http://127.0.0.1:${line.port}/api/sessions/s`, token, {
      prompt: 'slow 120',
      canUseTool: async () => ({ behavior: 'allow' }),
    });
    const parts: unknown[] = [];
    const messages: SDKMessage[] = [];
    for await (const message of query) {
      messages.push(message);
      if (message.type !== 'stream_event') continue;
      parts.push(message.uuid);
      if (parts.length % 25 === 0) line.cut();
    }
    const words = Array.from({ length: 120 }, (_, n) => `w${n}`).join(' ');
    expect(resultsOf(messages)).toEqual([words]);
    expect(line.connections()).toBeGreaterThan(2);
    expect(new Set(parts).size).toBe(parts.length);
    const { entries } = await store.record.tail('s', 100);
    const recorded = entries.flatMap((entry) =>
      entry.kind === 'line' && entry.author.by === 'agent' ? [entry.line.head()] : [],
    );
    const kept = recorded.filter(({ type }) => !type?.startsWith('control_')).map(({ uuid }) => uuid);
    const heard = messages.flatMap((message) => (message.type === 'stream_event' ? [] : [message.uuid]));
    expect(heard).toEqual(kept);
    expect(entries.filter((entry) => entry.kind === 'line' && entry.author.by === 'person')).toHaveLength(1);
  });

  it('[RY14] goes on with the next hub where it was with the last, and what it had said is there once', async () => {
    const first = await startTestHub();
    const { store, token } = first;
    let { port } = first.hub;
    const line = await cutLine(() => port);
    const greeting = { subtype: 'success', response: { commands: [{ name: 'c' }] } };
    const agent = await TestAgent.dial(`${first.hub.url}/ws/s`, token, { greeting });
    const query = listen(`http://127.0.0.1:${line.port}/api/sessions/s`, token);
    const heard = gather(query);
    await query.supportedCommands();
    for (const text of ['one', 'two']) await agent.say(assistant(text));
    await until(() => heard.length === 2);
    await first.hub.close();
    await query.streamInput(promptsOf('meanwhile'));
    agent.greeting = { subtype: 'error', error: 'Already initialized', pending_permission_requests: [] };
    const next = await startTestHub({ store, port });
    port = next.hub.port;
    await agent.play('three');
    await agent.hears(({ message }) => message?.content === 'meanwhile');
    await agent.play('four');
    await until(() => resultsOf(heard).length === 2);
    expect(textsOf(heard)).toEqual(['one', 'two', 'three', 'four']);
    expect(agent.prompts).toEqual(['meanwhile']);
    const newcomer = listen(`${next.hub.url}/api/sessions/s`, token);
    expect(await newcomer.supportedCommands()).toEqual([{ name: 'c' }]);
  });

  it('[RY15] ends with the turn of its own prompt, not with one that somebody else had begun', async () => {
    const { url, hub, token } = await stage();
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p1', content: 'slow 200' });
    const watching = gather(listen(url, token));
    await until(() => watching.some(({ type }) => type === 'stream_event'));
    const mine = await collect(listen(url, token, { prompt: 'say mine' }));
    expect(resultsOf(mine)).toEqual([expect.stringContaining('w199'), 'mine']);
  });

  it('[RY16] a host that reads slowly gets everything in the end, from the record', async () => {
    const { hub, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const query = listen(`${hub.url}/api/sessions/s`, token);
    await query.supportedCommands();
    for (let n = 0; n < 60; n += 1) await agent.say({ ...assistant(`n${n}`), long: 'x'.repeat(1024 * 1024) });
    const texts: unknown[] = [];
    while (texts.length < 60) {
      const { value } = await query.next();
      if (value) texts.push(...textsOf([value]));
    }
    expect(texts).toEqual(Array.from({ length: 60 }, (_, n) => `n${n}`));
  });
});

async function* promptsOf(content: string) {
  yield {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
  } as const;
}

function textsOf(messages: readonly SDKMessage[]): unknown[] {
  return messages.flatMap((message) => {
    if (message.type !== 'assistant') return [];
    const [block] = message.message.content;
    return block?.type === 'text' ? [block.text] : [];
  });
}
