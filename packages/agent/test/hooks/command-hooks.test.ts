import { mkdir, readdir } from 'node:fs/promises';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HookRunner } from '../../src/hooks/hook-runner.ts';
import { BASH_CALL, nobody, openHookBench, printing, SETTINGS } from './hook-bench.ts';

describe('commands as hooks', () => {
  it('[HK1] read who, where and what as one line of JSON', async () => {
    const { fire, commands, folder, session, text, path, problems } = await openHookBench();
    commands('PreToolUse', 'read -r line && printf "%s\\n" "$line" > input && ! read -r more');
    await fire('PreToolUse', BASH_CALL, { agent: { agent_id: 'a1', agent_type: 'Explore' } });
    expect(problems).toEqual([]);
    expect(JSON.parse(await text('input'))).toEqual({
      session_id: session.id,
      transcript_path: path('transcript.jsonl'),
      cwd: folder,
      permission_mode: 'default',
      agent_id: 'a1',
      agent_type: 'Explore',
      hook_event_name: 'PreToolUse',
      ...BASH_CALL,
    });
  });

  it('[HK1] run where the session is, and find the project, without arguments', async () => {
    const { fire, commands, folder, session, file, text, path } = await openHookBench();
    await file('sub/there', '');
    session.cwd = path('sub');
    session.env.FROM_HOST = 'set later';
    commands('Stop', 'echo "$PWD|$CLAUDE_PROJECT_DIR|$FROM_HOST|$#" > facts');
    await fire('Stop');
    expect(await text('sub/facts')).toBe(`${folder}/sub|${folder}|set later|0\n`);
  });

  it('[HK1] an input of any length may be read, or not; nothing of it is left behind', async () => {
    const { fire, commands, text, path } = await openHookBench();
    // Of its own: others leave and remove such files at the same time.
    await mkdir(path('temporary'));
    vi.stubEnv('TMPDIR', path('temporary'));
    onTestFinished(() => void vi.unstubAllEnvs());
    commands('PostToolUse', 'wc -c > length', 'true');
    const tool_response = 'x'.repeat(5_000_000);
    await fire('PostToolUse', { ...BASH_CALL, tool_response });
    expect(Number(await text('length'))).toBeGreaterThan(5_000_000);
    expect(await readdir(path('temporary'))).toEqual([]);
  });

  it('[HK4] run beside each other, the same command once', async () => {
    const { fire, runner, text, problems } = await openHookBench();
    const wait = (mine: string, other: string) => `touch ${mine}; until [ -e ${other} ]; do sleep 0.01; done`;
    const hooks = (...commands: string[]) => commands.map((command) => ({ type: 'command', command }));
    runner.addCommands('user', { PreToolUse: [{ hooks: hooks(wait('a', 'b'), 'echo x >> count') }] });
    runner.addCommands('project', {
      PreToolUse: [{ matcher: 'Bash', hooks: hooks(wait('b', 'a'), 'echo x >> count') }],
    });
    await fire('PreToolUse', BASH_CALL);
    expect(problems).toEqual([]);
    expect(await text('count')).toBe('x\n');
  });

  it('[HK4] cost nothing where there are none', async () => {
    const { commands, fire, runner } = await openHookBench();
    commands('Stop', 'true');
    expect([runner.has('Stop'), runner.has('PreToolUse')]).toEqual([true, false]);
    const unused = new HookRunner({
      projectDir: '/',
      env: {},
      base: () => {
        throw new Error('nobody needs it');
      },
      emit: () => Promise.reject(new Error('nobody hears it')),
      askHost: nobody,
      includeEvents: true,
      onProblem: () => {},
    });
    const signal = new AbortController().signal;
    expect(await unused.run('Stop', {}, { signal })).toEqual({ additionalContext: [], systemMessages: [] });
    expect(await fire('PreToolUse', BASH_CALL)).toEqual({ additionalContext: [], systemMessages: [] });
  });
});

describe('what a host is told about hooks', () => {
  it('[HK5] the start and the end, of the start of a session always', async () => {
    const { fire, commands, messages, session } = await openHookBench();
    commands('SessionStart', 'echo out; sleep 0.2; echo err >&2');
    await fire('SessionStart', { source: 'startup' });
    const about = {
      type: 'system',
      hook_name: 'SessionStart:startup',
      hook_event: 'SessionStart',
      session_id: session.id,
      uuid: expect.any(String),
      hook_id: expect.any(String),
    };
    expect(messages).toEqual([
      { ...about, subtype: 'hook_started' },
      {
        ...about,
        subtype: 'hook_response',
        output: 'out\nerr\n',
        stdout: 'out\n',
        stderr: 'err\n',
        exit_code: 0,
        outcome: 'success',
      },
    ]);
    expect(new Set(messages.map((message) => 'hook_id' in message && message.hook_id)).size).toBe(1);
  });

  it.each([false, true])('[HK5] of other events when it asks (%s)', async (includeEvents) => {
    const { fire, commands, messages } = await openHookBench({ includeEvents });
    commands('Stop', 'exit 3', 'exit 2', { command: 'sleep 60', timeout: 0.2 }, 'kill -9 $$');
    await fire('Stop');
    const ends = messages.flatMap((message) =>
      'subtype' in message && message.subtype === 'hook_response'
        ? [`${message.hook_name} ${message.outcome} ${message.exit_code}`]
        : [],
    );
    expect(ends.toSorted()).toEqual(
      includeEvents
        ? ['Stop cancelled undefined', 'Stop error 2', 'Stop error 3', 'Stop error undefined']
        : [],
    );
    expect(messages).toHaveLength(includeEvents ? 8 : 0);
  });

  it('[HK5] what a hook that takes long has printed so far, and only news', async () => {
    const { fire, commands, messages, file } = await openHookBench();
    commands('Setup', 'echo begun; until [ -e go ]; do sleep 0.01; done; echo over');
    const running = fire('Setup', { trigger: 'init' });
    await until(() =>
      messages.some((message) => 'subtype' in message && message.subtype === 'hook_progress'),
    );
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await file('go', '');
    await running;
    const said = messages.map((message) => ('stdout' in message ? [message.subtype, message.stdout] : []));
    expect(said).toEqual([[], ['hook_progress', 'begun\n'], ['hook_response', 'begun\nover\n']]);
  });

  it('[HK5] a host that is gone keeps no hook from its work', async () => {
    const { session, folder, path, text } = await openHookBench();
    const runner = new HookRunner({
      projectDir: folder,
      env: session.env,
      base: () => ({ session_id: 's', transcript_path: '', cwd: folder, permission_mode: 'default' }),
      emit: () => Promise.reject(new Error('closed')),
      askHost: nobody,
      includeEvents: true,
      onProblem: () => {},
    });
    runner.addCommands(SETTINGS, {
      Stop: [
        {
          hooks: [
            {
              type: 'command',
              command: `echo ran > ${path('ran')}; ${printing({ reason: 'x', decision: 'block' })}`,
            },
          ],
        },
      ],
    });
    expect(await runner.run('Stop', {}, { signal: new AbortController().signal })).toMatchObject({
      blocked: 'x',
    });
    expect(await text('ran')).toBe('ran\n');
    await runner.close();
  });
});
