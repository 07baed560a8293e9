import { type ControlHandler, ControlPeer, type JsonObject, parseAgentMessage } from '@signalbox/protocol';
import { until } from '@signalbox/testing/until';
import { createMemoryPair } from '@signalbox/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BASH_CALL, type HookBench, openHookBench, printing } from './hook-bench.ts';

const NOTHING = { additionalContext: [], systemMessages: [] };

const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };

/** A host that answers callbacks, at the other end of a line. */
async function withHost(
  hooks: unknown,
  answer: ControlHandler,
): Promise<HookBench & { asked: JsonObject[] }> {
  const { left, right } = createMemoryPair();
  const agent = new ControlPeer(left);
  const host = new ControlPeer(right);
  const asked: JsonObject[] = [];
  host.handle('hook_callback', (request, context) => {
    asked.push(request);
    return answer(request, context);
  });
  const ends = [agent.run(), host.run()];
  onTestFinished(async () => {
    await left.close();
    await Promise.all(ends);
  });
  const bench = await openHookBench({
    askHost: (callback_id, input, tool_use_id, signal) =>
      agent.request({ subtype: 'hook_callback', callback_id, input, tool_use_id }, { signal }),
  });
  bench.runner.setCallbacks(hooks);
  return { ...bench, asked };
}

describe('functions of the host as hooks', () => {
  it('[HK19] are called with the input and the id of the call, and decide like commands', async () => {
    const { fire, asked, runner, session, commands } = await withHost(
      {
        PreToolUse: [
          { matcher: 'Bash', hookCallbackIds: ['a', 'b'] },
          { matcher: 'Read', hookCallbackIds: ['c'] },
        ],
      },
      ({ callback_id }) =>
        callback_id === 'a' ? { ...allow, systemMessage: 'from a' } : { decision: 'block', reason: 'from b' },
    );
    commands('PreToolUse', printing({ systemMessage: 'from a command' }));
    expect(runner.has('PreToolUse')).toBe(true);
    expect(await fire('PreToolUse', BASH_CALL, { toolUseId: 'toolu_1' })).toEqual({
      blocked: 'from b',
      permission: { behavior: 'deny', reason: 'from b' },
      additionalContext: [],
      systemMessages: ['from a command', 'from a'],
    });
    expect(asked.map(({ callback_id }) => callback_id)).toEqual(['a', 'b']);
    expect(asked[0]).toMatchObject({
      tool_use_id: 'toolu_1',
      input: { session_id: session.id, hook_event_name: 'PreToolUse', ...BASH_CALL },
    });
    const line = { type: 'control_request', request_id: '1', request: asked[0] };
    expect(() => parseAgentMessage(line)).not.toThrow();
  });

  it('[HK19] get an id of their own where there is no call, and the host is told nothing else', async () => {
    const { fire, asked, messages } = await withHost(
      { Stop: [{ hookCallbackIds: ['a', 'a'] }] },
      () => undefined,
    );
    expect(await fire('Stop')).toEqual(NOTHING);
    expect(await fire('Stop')).toEqual(NOTHING);
    expect(asked).toHaveLength(4);
    expect(asked[0]?.tool_use_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(asked[2]?.tool_use_id).not.toBe(asked[0]?.tool_use_id);
    expect(messages).toEqual([]);
  });

  it('[HK19] are replaced by those that the host names next; what is wrong with them is told', async () => {
    const { runner, problems, fire, asked } = await withHost(
      { Stop: [{ hookCallbackIds: ['a'] }] },
      () => undefined,
    );
    runner.setCallbacks({
      Stop: [{ hookCallbackIds: [5, 'b'], timeout: 'long' }, { matcher: 'x' }],
      PreToolUse: null,
    });
    expect(problems).toEqual([
      'initialize: hooks.PreToolUse is not a list; it is ignored.',
      'initialize: hooks.Stop[0].timeout is not a number of seconds; it is 60.',
      'initialize: hooks.Stop[0].hookCallbackIds[0] is not a text; it is ignored.',
      'initialize: hooks.Stop[1].hookCallbackIds is not a list; it is ignored.',
    ]);
    await fire('Stop');
    expect(asked.map(({ callback_id }) => callback_id)).toEqual(['b']);
  });

  it.each(['PreToolUse', 'Stop'] as const)(
    '[HK20] that are silent are cancelled in time, and a tool whose guard is silent is not used (%s)',
    async (event) => {
      const cancelled: string[] = [];
      const { fire, problems } = await withHost(
        { [event]: [{ hookCallbackIds: ['silent', 'quick'], timeout: 1 }] },
        ({ callback_id }, { signal }) => {
          if (callback_id === 'quick') return event === 'PreToolUse' ? allow : {};
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              cancelled.push('silent');
              resolve(undefined);
            });
          });
        },
      );
      const outcome = await fire(event, BASH_CALL);
      expect(outcome.permission?.behavior).toBe(event === 'PreToolUse' ? 'deny' : undefined);
      expect(problems).toEqual([
        `initialize: ${event} hook callback silent failed: the host did not answer within 1 s`,
      ]);
      await until(() => cancelled.length === 1);
    },
  );

  it('[HK20] are cancelled by an interrupt', async () => {
    let isCancelled = false;
    const { fire, asked, problems } = await withHost(
      { PreToolUse: [{ hookCallbackIds: ['a'] }] },
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            isCancelled = true;
            resolve(allow);
          });
        }),
    );
    const turn = new AbortController();
    const running = fire('PreToolUse', BASH_CALL, { signal: turn.signal });
    await until(() => asked.length === 1);
    turn.abort();
    expect(await running).toEqual(NOTHING);
    await until(() => isCancelled);
    expect(problems).toEqual([]);
  });

  it.each([
    ['fail', new Error('boom'), 'the host could not answer: boom'],
    ['answer garbage', { continue: 'no', ...allow }, 'its answer has the wrong shape'],
    [
      'answer for another event',
      { hookSpecificOutput: { ...allow.hookSpecificOutput, hookEventName: 'Stop' } },
      'it answered for Stop',
    ],
    ['decide in unknown words', { decision: 'allow' }, 'unknown decision "allow"'],
  ])('[HK21] that %s are problems, and never a permission', async (_, answer, problem) => {
    const { fire, problems } = await withHost({ PreToolUse: [{ hookCallbackIds: ['a'] }] }, () => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
    expect(await fire('PreToolUse', BASH_CALL)).toEqual(NOTHING);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it('[HK21] that go on by themselves say nothing', async () => {
    const { fire, problems } = await withHost({ PreToolUse: [{ hookCallbackIds: ['a'] }] }, () => ({
      async: true,
      ...allow,
    }));
    expect(await fire('PreToolUse', BASH_CALL)).toEqual(NOTHING);
    expect(problems).toEqual([]);
  });
});
