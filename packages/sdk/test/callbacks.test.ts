import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CanUseTool, type Options, query } from '../src/index.ts';
import { collect, fakeAgent } from './fake-agent.ts';

/** Lets an agent ask once and end its turn; returns its answer. */
async function answerTo(request: object, options: Options = {}) {
  const agent = await fakeAgent(
    `return { user: () => ask('q', ${JSON.stringify(request)}), control_response: () => result() };`,
  );
  await collect(query({ prompt: 'x', options: agent.options(options) }));
  return (await agent.heard('control_response'))[0]?.['response'];
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const success = (response: unknown) => ({ subtype: 'success', request_id: 'q', response });
const failure = (error: string) => ({ subtype: 'error', request_id: 'q', error });

describe('callbacks', () => {
  const question = {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: 'ls' },
    tool_use_id: 't1',
    permission_suggestions: [{ type: 'setMode', mode: 'plan', destination: 'session' }],
    blocked_path: '/b',
    decision_reason: 'why',
    agent_id: 'a',
    title: null,
    matched_ask_rule: { source: 's', tool_name: 'Bash', rule_content: 'ls' },
  };

  it('[SD23] canUseTool is told what the agent says about the call', async () => {
    const canUseTool = vi.fn<CanUseTool>(async () => ({ behavior: 'allow' }));
    expect(await answerTo(question, { canUseTool })).toEqual(
      success({ behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 't1' }),
    );
    expect(canUseTool).toHaveBeenCalledExactlyOnceWith(
      'Bash',
      { command: 'ls' },
      {
        signal: expect.any(AbortSignal),
        requestId: 'q',
        toolUseID: 't1',
        suggestions: question.permission_suggestions,
        blockedPath: '/b',
        decisionReason: 'why',
        agentID: 'a',
        matchedAskRule: { source: 's', toolName: 'Bash', ruleContent: 'ls' },
      },
    );
  });

  it('[SD38] a question comes after the messages that the agent sent before it, also at once with them', async () => {
    const agent = await fakeAgent(`return {
      user: () => {
        const said = ['1', '2', '3'].map((uuid) => ({ type: 'assistant', uuid }));
        const asked = { type: 'control_request', request_id: 'q', request: ${JSON.stringify(question)} };
        out([...said, asked].map((one) => JSON.stringify(one)).join('\\n'));
      },
      control_response: () => result(),
    };`);
    const seen: unknown[] = [];
    const canUseTool: CanUseTool = async () => {
      seen.push('asked');
      return { behavior: 'allow' };
    };
    for await (const { uuid } of query({ prompt: 'x', options: agent.options({ canUseTool }) }))
      seen.push(uuid);
    expect(seen).toEqual(['1', '2', '3', 'asked', 'u']);
  });

  it('[SD23] its decision reaches the agent', async () => {
    const allowed = { behavior: 'allow', updatedInput: { command: 'pwd' }, updatedPermissions: [] } as const;
    expect(
      await answerTo(question, { canUseTool: async () => ({ ...allowed, updatedPermissions: [] }) }),
    ).toEqual(success({ ...allowed, toolUseID: 't1' }));
    const denied = { behavior: 'deny', message: 'no', interrupt: true } as const;
    expect(await answerTo(question, { canUseTool: async () => denied })).toEqual(
      success({ ...denied, toolUseID: 't1' }),
    );
  });

  it('[SD24] a callback that throws, and one that is not there, become error answers', async () => {
    const canUseTool = async () => {
      throw new Error('my fault');
    };
    expect(await answerTo(question, { canUseTool })).toEqual(failure('my fault'));
    expect(await answerTo(question)).toEqual(failure('canUseTool callback is not provided.'));
    const hooks = { Stop: [{ hooks: [canUseTool] }] };
    const call = { subtype: 'hook_callback', callback_id: 'hook_0', input: {} };
    expect(await answerTo(call, { hooks })).toEqual(failure('my fault'));
    expect(await answerTo({ ...call, callback_id: 'hook_7' }, { hooks })).toEqual(
      failure('No hook callback found for ID: hook_7'),
    );
    expect(await answerTo({ subtype: 'novelty' })).toMatchObject({ error_code: 'unsupported_request' });
  });

  it('[SD625] the program is warned of a callback that throws, and of hooks that nobody calls', async () => {
    const warnings: unknown[] = [];
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation((...words) => void warnings.push(words));
    onTestFinished(() => warn.mockRestore());
    const broken = async () => {
      throw new Error('my fault');
    };
    await answerTo(question, { canUseTool: broken });
    const call = { subtype: 'hook_callback', callback_id: 'hook_0', input: {} };
    await answerTo(call, { hooks: { Stop: [{ hooks: [broken] }] } });
    const detail = expect.stringContaining('callbacks.test.ts');
    expect(warnings.splice(0)).toEqual([
      ['canUseTool failed: my fault', { code: 'CALLBACK_FAILED', detail }],
      ['A hook failed: my fault', { code: 'CALLBACK_FAILED', detail }],
    ]);
    const misspelt = { PreToolUze: [{ hooks: [broken] }] };
    await answerTo(call, { hooks: { ...misspelt, Stop: [{ hooks: [async () => ({})] }] } });
    expect(warnings).toContainEqual([
      expect.stringMatching(/^hooks\.PreToolUze is no event .* PreToolUse,/),
      { code: 'HOOK_EVENT_UNKNOWN' },
    ]);
  });

  it('[SD625] hooks in a wrong shape are refused before an agent is started', () => {
    const start = (hooks: unknown) => () =>
      Reflect.apply(query, undefined, [{ prompt: 'x', options: { hooks } }]);
    const callback = async () => ({});
    for (const matchers of [callback, [callback], [{ matcher: 'Bash' }], [{ hooks: callback }]])
      expect(start({ PreToolUse: matchers })).toThrow(/^hooks\.PreToolUse is a list of \{ matcher, hooks \}/);
    expect(start('PreToolUse')).toThrow('hooks is an object of lists');
  });

  it('[SD25] a question that the agent takes back aborts its callback, and is not answered', async () => {
    const agent = await fakeAgent(`return {
      user: () => { ask('q', ${JSON.stringify(question)}); out({ type: 'control_cancel_request', request_id: 'q' }); },
      stop_task: (r) => { answer(r, {}); result(); } };`);
    const aborted = deferred<void>();
    const options = agent.options({
      canUseTool: async (_tool, _input, { signal }) => {
        await new Promise((resolve) => {
          if (signal.aborted) resolve(undefined);
          else signal.addEventListener('abort', resolve);
        });
        aborted.resolve();
        return { behavior: 'allow' };
      },
    });
    const conversation = query({ prompt: 'x', options });
    await aborted.promise;
    await conversation.stopTask('t');
    await collect(conversation);
    expect(await agent.heard('control_response')).toEqual([]);
  });

  it('[SD25] so does the end of the conversation', async () => {
    const agent = await fakeAgent(`return { user: () => ask('q', ${JSON.stringify(question)}) };`);
    const asked = deferred<AbortSignal>();
    const canUseTool: CanUseTool = (_tool, _input, { signal }) => {
      asked.resolve(signal);
      return new Promise(() => {});
    };
    const conversation = query({ prompt: 'x', options: agent.options({ canUseTool }) });
    const signal = await asked.promise;
    conversation.close();
    expect(signal.aborted).toBe(true);
  });

  it('[SD25] null leaves a question to somebody else', async () => {
    const agent = await fakeAgent(`return {
      user: () => { ask('q', ${JSON.stringify(question)}); ask('r', { subtype: 'novelty' }); }, control_response: () => result() };`);
    await collect(query({ prompt: 'x', options: agent.options({ canUseTool: async () => null }) }));
    expect(await agent.heard('control_response')).toMatchObject([{ response: { request_id: 'r' } }]);
  });

  it('[SD26] hooks are registered by event and matcher, and called by their id', async () => {
    const heard: unknown[] = [];
    const agent = await fakeAgent(`return {
      user: () => ask('q', { subtype: 'hook_callback', callback_id: 'hook_2', input: { hook_event_name: 'Stop', stop_hook_active: false }, tool_use_id: 't' }),
      control_response: () => result() };`);
    const hooks: Options['hooks'] = {
      PreToolUse: [{ matcher: 'Bash|Write', hooks: [async () => ({}), async () => ({})], timeout: 9 }],
      Stop: [
        {
          hooks: [
            async (input, toolUseId, { signal }) => {
              heard.push(input, toolUseId, signal.aborted);
              return { decision: 'block', reason: 'go on' };
            },
          ],
        },
      ],
      Notification: [],
    };
    await collect(query({ prompt: 'x', options: agent.options({ hooks }) }));
    expect((await agent.heard('initialize'))[0]?.['hooks']).toEqual({
      PreToolUse: [{ matcher: 'Bash|Write', timeout: 9, hookCallbackIds: ['hook_0', 'hook_1'] }],
      Stop: [{ hookCallbackIds: ['hook_2'] }],
    });
    expect(heard).toEqual([{ hook_event_name: 'Stop', stop_hook_active: false }, 't', false]);
    expect((await agent.heard('control_response'))[0]?.['response']).toEqual(
      success({ decision: 'block', reason: 'go on' }),
    );
  });

  it('[SD27] what an MCP server asks the user goes to the callback, and is declined without one', async () => {
    const request = { subtype: 'elicitation', mcp_server_name: 's', message: 'm', requested_schema: {} };
    expect(await answerTo(request)).toEqual(success({ action: 'decline' }));
    const asked: unknown[] = [];
    const answer = await answerTo(request, {
      onElicitation: async (elicitation) => {
        asked.push(elicitation);
        return { action: 'accept', content: { a: 1 } };
      },
    });
    expect(answer).toEqual(success({ action: 'accept', content: { a: 1 } }));
    expect(asked).toEqual([{ serverName: 's', message: 'm', requestedSchema: {} }]);
  });

  it('[SD27] a dialog goes to its callback', async () => {
    const request = { subtype: 'request_user_dialog', dialog_kind: 'k', payload: { a: 1 }, tool_use_id: 't' };
    const answer = await answerTo(request, {
      onUserDialog: async (dialog) => ({ behavior: 'completed', result: dialog }),
    });
    expect(answer).toEqual(
      success({ behavior: 'completed', result: { dialogKind: 'k', payload: { a: 1 }, toolUseID: 't' } }),
    );
  });
});
