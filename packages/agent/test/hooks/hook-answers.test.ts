import { describe, expect, it } from 'vitest';
import { MAX_HOOK_TEXT_CHARS } from '../../src/hooks/read-answer.ts';
import { BASH_CALL, openHookBench, printing } from './hook-bench.ts';

const NOTHING = { additionalContext: [], systemMessages: [] };

function about(hookEventName: string, fields: Record<string, unknown>) {
  return { hookSpecificOutput: { hookEventName, ...fields } };
}

function deciding(permissionDecision: string, permissionDecisionReason?: string) {
  return about('PreToolUse', { permissionDecision, permissionDecisionReason });
}

describe('answers of hooks', () => {
  it.each([
    ['PreToolUse', deciding('allow', 'fine'), { permission: { behavior: 'allow', reason: 'fine' } }],
    ['PreToolUse', deciding('deny', 'no'), { permission: { behavior: 'deny', reason: 'no' } }],
    ['PreToolUse', deciding('ask'), { permission: { behavior: 'ask', reason: '' } }],
    ['PreToolUse', deciding('defer'), {}],
    ['PreToolUse', { decision: 'approve' }, { permission: { behavior: 'allow', reason: '' } }],
    [
      'PreToolUse',
      { decision: 'block', reason: 'no' },
      { blocked: 'no', permission: { behavior: 'deny', reason: 'no' } },
    ],
    [
      'PreToolUse',
      about('PreToolUse', { updatedInput: { command: 'pwd' }, additionalContext: 'note' }),
      { updatedInput: { command: 'pwd' }, additionalContext: ['note'] },
    ],
    ['PostToolUse', { decision: 'block', reason: 'look again' }, { blocked: 'look again' }],
    ['PostToolUse', { decision: 'approve' }, {}],
    ['PostToolUse', about('PostToolUse', { updatedMCPToolOutput: [1] }), { updatedToolOutput: [1] }],
    ['PostToolUse', about('PostToolUse', { updatedInput: {}, permissionDecision: 'allow' }), {}],
    ['Stop', { decision: 'block' }, { blocked: 'A hook forbade it.' }],
    ['UserPromptSubmit', { continue: false, stopReason: 'enough' }, { stopped: 'enough' }],
    ['UserPromptSubmit', { continue: false }, { stopped: 'A hook ended the turn.' }],
    ['Notification', { continue: true, systemMessage: 'hello' }, { systemMessages: ['hello'] }],
    [
      'PermissionRequest',
      about('PermissionRequest', {
        decision: { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [] },
      }),
      { request: { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [] } },
    ],
    [
      'PermissionRequest',
      about('PermissionRequest', { decision: { behavior: 'deny', message: 'no', interrupt: true } }),
      { request: { behavior: 'deny', message: 'no', interrupt: true } },
    ],
    ['TaskCompleted', {}, {}],
  ] as const)('[HK6] %s %j', async (event, answer, outcome) => {
    const { commands, fire, problems } = await openHookBench();
    commands(event, printing(answer));
    expect(await fire(event, BASH_CALL)).toEqual({ ...NOTHING, ...outcome });
    expect(problems).toEqual([]);
  });

  it('[HK7] the strictest counts, whoever is first', async () => {
    const { commands, fire } = await openHookBench();
    commands(
      'PreToolUse',
      `sleep 0.2; ${printing(deciding('allow', 'a'))}`,
      `sleep 0.1; ${printing(deciding('deny', 'd'))}`,
      printing(deciding('ask', 'k')),
    );
    expect(await fire('PreToolUse', BASH_CALL)).toMatchObject({
      permission: { behavior: 'deny', reason: 'd' },
    });
    const other = await openHookBench();
    other.commands('PreToolUse', printing(deciding('ask', 'k')), printing(deciding('allow', 'a')));
    expect(await other.fire('PreToolUse', BASH_CALL)).toMatchObject({
      permission: { behavior: 'ask', reason: 'k' },
    });
  });

  it('[HK7] of changes the last in the settings counts, of texts all, of requests a denial', async () => {
    const { commands, fire } = await openHookBench();
    const change = (command: string) =>
      about('PreToolUse', { updatedInput: { command }, additionalContext: command });
    commands(
      'PreToolUse',
      `sleep 0.2; ${printing({ ...change('one'), continue: false, stopReason: 's1' })}`,
      printing({ ...change('two'), continue: false, stopReason: 's2' }),
    );
    expect(await fire('PreToolUse', BASH_CALL)).toEqual({
      updatedInput: { command: 'two' },
      additionalContext: ['one', 'two'],
      systemMessages: [],
      stopped: 's1\ns2',
    });
    const decided = (decision: unknown) => printing(about('PermissionRequest', { decision }));
    commands('PermissionRequest', decided({ behavior: 'allow' }), decided({ behavior: 'deny' }));
    expect(await fire('PermissionRequest', BASH_CALL)).toMatchObject({
      request: { behavior: 'deny', message: 'A hook denied the permission.', interrupt: false },
    });
  });

  it('[HK8] plain text is context at the start of a session and of a turn, and nowhere else', async () => {
    const { commands, fire, problems } = await openHookBench();
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'] as const) {
      commands(event, 'echo; echo "remember this"', 'true');
      expect((await fire(event)).additionalContext).toEqual(
        event === 'SessionStart' || event === 'UserPromptSubmit' ? ['remember this'] : [],
      );
    }
    expect(problems).toEqual([]);
  });

  it('[HK9] code 2 forbids, with stderr as the reason, whatever else was printed', async () => {
    const { commands, fire, problems } = await openHookBench();
    const forbid = `${printing(deciding('allow'))}; echo 'not here' >&2; exit 2`;
    for (const event of ['PreToolUse', 'PermissionRequest', 'Stop'] as const) commands(event, forbid);
    expect(await fire('PreToolUse', BASH_CALL)).toEqual({
      ...NOTHING,
      blocked: 'not here',
      permission: { behavior: 'deny', reason: 'not here' },
    });
    expect(await fire('PermissionRequest', BASH_CALL)).toEqual({
      ...NOTHING,
      blocked: 'not here',
      request: { behavior: 'deny', message: 'not here', interrupt: false },
    });
    expect(await fire('Stop')).toEqual({ ...NOTHING, blocked: 'not here' });
    commands('PreCompact', 'exit 2');
    expect(await fire('PreCompact')).toEqual({ ...NOTHING, blocked: 'A hook forbade it.' });
    // Bash ends with the same code when it cannot read a command: a guard with a typo forbids, too.
    commands('SubagentStop', 'if');
    expect(await fire('SubagentStop')).toMatchObject({ blocked: expect.stringContaining('syntax error') });
    expect(problems).toEqual([]);
  });

  it('[HK10] texts for the conversation are cut in the middle', async () => {
    const { commands, fire } = await openHookBench();
    const text = `begin${'x'.repeat(50_000)}end`;
    commands('UserPromptSubmit', `cat <<< '${text}'`);
    commands('Stop', `cat <<< '${text}' >&2; exit 2`);
    commands(
      'PreToolUse',
      printing({ systemMessage: text, ...about('PreToolUse', { additionalContext: text }) }),
    );
    const [plain, { blocked = '' }, json] = [
      await fire('UserPromptSubmit'),
      await fire('Stop'),
      await fire('PreToolUse'),
    ];
    for (const cut of [
      ...plain.additionalContext,
      blocked,
      ...json.additionalContext,
      ...json.systemMessages,
    ]) {
      expect(cut).toMatch(/^begin.*characters were left out here.*end$/s);
      expect(cut.length).toBeLessThan(MAX_HOOK_TEXT_CHARS + 100);
    }
  });
});
