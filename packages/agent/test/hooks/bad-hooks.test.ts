import { rm } from 'node:fs/promises';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { pidIn } from '../tools/tool-bench.ts';
import { BASH_CALL, openHookBench, printing, SETTINGS } from './hook-bench.ts';

const NOTHING = { additionalContext: [], systemMessages: [] };

const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };

describe('bad hooks', () => {
  it.each([
    ['a code', `${printing(allow)}; echo 'Oh no' >&2; exit 3`, 'it ended with code 3: Oh no'],
    ['a silent code', 'exit 1', 'it ended with code 1'],
    [
      'a missing program',
      'no-such-program',
      'it ended with code 127: bash: line 1: no-such-program: command not found',
    ],
    ['a signal', 'kill -KILL $$', 'it was killed by SIGKILL'],
    ['broken JSON', `echo '{"decision": "appro'`, 'it printed what begins like JSON but is none: '],
    [
      'two answers',
      `${printing(allow)}\n${printing(allow)}`,
      'it printed what begins like JSON but is none: ',
    ],
    ['a wrong type', printing({ continue: 'yes' }), '"continue" must be a boolean, not a string'],
    [
      'a wrong type inside',
      printing({ hookSpecificOutput: { ...allow.hookSpecificOutput, updatedInput: [] } }),
      'updatedInput',
    ],
    ['no event', printing({ hookSpecificOutput: { permissionDecision: 'allow' } }), 'hookEventName'],
    [
      'another event',
      printing({ hookSpecificOutput: { ...allow.hookSpecificOutput, hookEventName: 'Stop' } }),
      'it answered for Stop, but was asked about PreToolUse',
    ],
    ['an unknown decision', printing({ decision: 'allow' }), 'unknown decision "allow"'],
    [
      'an unknown permission',
      printing({ hookSpecificOutput: { ...allow.hookSpecificOutput, permissionDecision: 'yes' } }),
      'unknown permissionDecision "yes"',
    ],
  ])('[HK11] %s is a problem in one line, and nothing else', async (_, command, problem) => {
    const { commands, fire, problems } = await openHookBench();
    commands('PreToolUse', command, printing({ systemMessage: 'the other one' }));
    expect(await fire('PreToolUse', BASH_CALL)).toEqual({ ...NOTHING, systemMessages: ['the other one'] });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toMatch(/^\.claude\/settings\.json: PreToolUse hook ".*" failed: [^\n]*$/);
  });

  it('[HK11] an unknown behavior in place of the person is no permission', async () => {
    const { commands, fire, problems } = await openHookBench();
    const decision = { behavior: 'allow_all' };
    commands(
      'PermissionRequest',
      printing({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }),
    );
    expect(await fire('PermissionRequest', BASH_CALL)).toEqual(NOTHING);
    expect(problems).toEqual([expect.stringContaining('unknown decision.behavior "allow_all"')]);
  });

  it('[HK11] a folder that is gone is a problem, which the host hears too', async () => {
    const { commands, fire, problems, session, path, file, messages } = await openHookBench({
      includeEvents: true,
    });
    await file('sub/x', '');
    session.cwd = path('sub');
    await rm(path('sub'), { recursive: true });
    commands('PreToolUse', 'true');
    expect(await fire('PreToolUse', BASH_CALL)).toEqual(NOTHING);
    expect(problems).toEqual([expect.stringContaining(`Cannot run bash in ${path('sub')}`)]);
    expect(messages.at(-1)).toMatchObject({
      subtype: 'hook_response',
      outcome: 'error',
      stderr: expect.stringContaining('Cannot run bash'),
    });
  });

  it('[HK11] a problem is never longer than a line', async () => {
    const { commands, fire, problems } = await openHookBench();
    commands('Stop', `for i in $(seq 5000); do echo "complaint $i" >&2; done; exit 9`);
    await fire('Stop');
    expect(problems[0]?.length).toBeLessThan(600);
    expect(problems[0]).not.toContain('\n');
  });

  it('[HK12] one that never returns is ended in time with all it started', async () => {
    const { commands, fire, problems, path } = await openHookBench();
    commands('PreToolUse', {
      command: `trap '' TERM INT HUP; setsid bash -c "trap '' TERM; echo \\$\\$ > child; sleep 60" & echo $$ > pid; sleep 60; sleep 60`,
      timeout: 4,
    });
    const running = fire('PreToolUse', BASH_CALL);
    const pids = await Promise.all([pidIn(path('pid')), pidIn(path('child'))]);
    expect(await running).toEqual(NOTHING);
    expect(problems).toEqual([expect.stringContaining('it was ended after 4 s; give it a longer "timeout"')]);
    await until(() => !pids.some(isRunning));
  });

  it('[HK13] an interrupt ends them with all they started, and nothing they said counts', async () => {
    const { commands, fire, problems, path, messages } = await openHookBench({ includeEvents: true });
    const turn = new AbortController();
    commands('PreToolUse', `setsid sleep 60 & echo $! > pid; ${printing(allow)}; wait`, printing(allow));
    const running = fire('PreToolUse', BASH_CALL, { signal: turn.signal });
    const pid = await pidIn(path('pid'));
    await until(() => messages.some((message) => 'outcome' in message && message.outcome === 'success'));
    turn.abort();
    expect(await running).toEqual(NOTHING);
    await until(() => !isRunning(pid));
    expect(problems).toEqual([]);
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'hook_response', outcome: 'cancelled' }),
    );
  });

  it('[HK13] after an interrupt nothing is started', async () => {
    const { commands, fire, messages } = await openHookBench({ includeEvents: true });
    commands('Stop', 'true');
    expect(await fire('Stop', {}, { signal: AbortSignal.abort() })).toEqual(NOTHING);
    expect(messages).toEqual([]);
  });

  it('[HK14] a flood is no answer, and the host is shown its ends only', async () => {
    const { commands, fire, problems, messages } = await openHookBench();
    const flood = (to: string) => `head -c 100000000 /dev/zero | tr '\\0' x ${to}`;
    commands('SessionStart', flood(''), `echo kept; ${flood('>&2')}`);
    expect(await fire('SessionStart')).toEqual({ ...NOTHING, additionalContext: ['kept'] });
    expect(problems).toEqual([expect.stringContaining('it printed more than 1000000 characters')]);
    for (const message of messages) expect(JSON.stringify(message).length).toBeLessThan(100_000);
  });

  it('[HK15] a child that outlives its hook holds nothing up, and ends with the session', async () => {
    const { commands, fire, problems, path, runner } = await openHookBench();
    commands('UserPromptSubmit', 'echo said; setsid sleep 60 & echo $! > pid; disown');
    expect(await fire('UserPromptSubmit')).toEqual({ ...NOTHING, additionalContext: ['said'] });
    const pid = await pidIn(path('pid'));
    expect([isRunning(pid), problems]).toEqual([true, []]);
    await runner.close();
    await until(() => !isRunning(pid));
  });

  it('[HK15] the end of the session ends what runs; afterwards nothing starts', async () => {
    const { commands, fire, path, runner, messages } = await openHookBench({ includeEvents: true });
    commands('Stop', 'echo $$ > pid; sleep 60');
    const running = fire('Stop');
    const pid = await pidIn(path('pid'));
    await Promise.all([runner.close(), runner.close()]);
    expect(await running).toEqual(NOTHING);
    await until(() => !isRunning(pid));
    expect(await fire('Stop')).toEqual(NOTHING);
    expect(messages.map((message) => 'subtype' in message && message.subtype)).toEqual([
      'hook_started',
      'hook_response',
    ]);
  });
});

describe('hooks in settings', () => {
  it('[HK16] what cannot be used is named with its file, and the rest counts', async () => {
    const { runner, problems, fire } = await openHookBench();
    const command = printing({ systemMessage: 'counts' });
    runner.addCommands(SETTINGS, {
      Stop: [
        'no object',
        { matcher: 5, hooks: [] },
        { hooks: 'no list' },
        {
          hooks: [
            { type: 'prompt', prompt: 'x' },
            { type: 'agent' },
            { type: 'http' },
            null,
            { type: 'command' },
          ],
        },
        { hooks: [{ type: 'command', command, timeout: -1, if: 'Bash(ls)' }] },
      ],
      PreToolUse: {},
    });
    runner.addCommands('--settings', 'nonsense');
    runner.addCommands('nothing', undefined);
    expect(problems).toEqual([
      `${SETTINGS}: hooks.Stop[0] is not an object; it is ignored.`,
      `${SETTINGS}: hooks.Stop[1].matcher is not a text; it is ignored.`,
      `${SETTINGS}: hooks.PreToolUse is not a list; it is ignored.`,
      `${SETTINGS}: hooks.Stop[2].hooks is not a list; it is ignored.`,
      `${SETTINGS}: hooks.Stop[3].hooks[0] has the type "prompt", and only "command" is supported; it is ignored.`,
      `${SETTINGS}: hooks.Stop[3].hooks[1] has the type "agent", and only "command" is supported; it is ignored.`,
      `${SETTINGS}: hooks.Stop[3].hooks[2] has the type "http", and only "command" is supported; it is ignored.`,
      `${SETTINGS}: hooks.Stop[3].hooks[3] is not an object; it is ignored.`,
      `${SETTINGS}: hooks.Stop[3].hooks[4] has no command; it is ignored.`,
      `${SETTINGS}: hooks.Stop[4].hooks[0].if is not supported; the hook runs whenever its matcher fits.`,
      `${SETTINGS}: hooks.Stop[4].hooks[0].timeout is not a number of seconds; it is 60.`,
      '--settings: hooks is not an object; it is ignored.',
    ]);
    expect((await fire('Stop')).systemMessages).toEqual(['counts']);
    expect(runner.has('PreToolUse')).toBe(false);
  });

  it('[HK16] events of newer versions are kept, and listed with the others', async () => {
    const { runner, problems } = await openHookBench();
    runner.addCommands(SETTINGS, {
      FileChanged: [{ hooks: [{ type: 'command', command: 'true' }] }],
      Stop: [{ matcher: 'x', hooks: [{ type: 'command', command: 'false', async: true, timeout: 5 }] }],
    });
    runner.setCallbacks({ Stop: [{ hookCallbackIds: ['hook_0'] }] });
    expect(problems).toEqual([]);
    const file = { source: SETTINGS, type: 'command' };
    expect(runner.listing()).toEqual({
      events: [
        { name: 'FileChanged', hookCount: 1 },
        { name: 'Stop', hookCount: 2 },
      ],
      hooks: [
        { ...file, event: 'FileChanged', matcher: '', displayText: 'true', timeout: 60 },
        { ...file, event: 'Stop', matcher: 'x', displayText: 'false', timeout: 5, runsInBackground: true },
        {
          event: 'Stop',
          matcher: '',
          source: 'initialize',
          type: 'callback',
          displayText: 'hook_0',
          timeout: 60,
        },
      ],
    });
  });
});
