import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScriptedModel } from '@signalbox/model';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentEnv, type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';
import { pollFile } from './poll-file.ts';
import { withResolvers } from './with-resolvers.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
const run = promisify(execFile);

function kinds(agent: DrivenAgent): string[] {
  return agent.messages.map((message) =>
    [message.type, 'subtype' in message ? message.subtype : ''].filter(Boolean).join('/'),
  );
}

describe('a driven agent', () => {
  it('[AG1] answers a prompt with init, one message per content block, and a result that adds up', async () => {
    const agent = await driveAgent();
    await agent.say('think hello there');
    const result = await agent.next(isResult);
    expect(kinds(agent)).toEqual(['system/init', 'assistant', 'assistant', 'result/success']);
    expect(result).toMatchObject({
      subtype: 'success',
      result: 'hello there',
      num_turns: 1,
      is_error: false,
    });
    if (result.type !== 'result' || result.subtype !== 'success') throw new Error('no success');
    const models = Object.values(result.modelUsage ?? {});
    expect(models.reduce((sum, { outputTokens }) => sum + (outputTokens ?? 0), 0)).toBe(
      result.usage?.output_tokens,
    );
    expect(models.reduce((sum, { costUSD }) => sum + (costUSD ?? 0), 0)).toBeCloseTo(
      Number(result.total_cost_usd),
    );
    expect((await agent.finish()).code).toBe(0);
  });

  it('[AG2] goes on with the next prompt, and remembers what was said', async () => {
    const agent = await driveAgent();
    await agent.say('say one');
    await agent.next(isResult);
    const after = agent.messages.length;
    await agent.say('say two');
    expect(await agent.next(isResult, after)).toMatchObject({ result: 'two' });
    expect(kinds(agent).filter((kind) => kind === 'system/init')).toHaveLength(2);
  });

  it('[AG3] asks before a tool changes something, and uses the input that the host returns', async () => {
    const asked: unknown[] = [];
    const agent = await driveAgent({
      onPermission: ({ tool_name, input }) => {
        asked.push([tool_name, input]);
        return { behavior: 'allow', updatedInput: { command: 'echo changed' } };
      },
    });
    await agent.say('run touch original');
    expect(await agent.next(isResult)).toMatchObject({ result: 'done: changed', permission_denials: [] });
    expect(asked).toEqual([['Bash', { command: 'touch original', description: 'run it' }]]);
    expect(existsSync(join(agent.folder, 'original'))).toBe(false);
  });

  it('[AG3] tells the model what the host refused, and lists it in the result', async () => {
    const agent = await driveAgent({ onPermission: () => ({ behavior: 'deny', message: 'not today' }) });
    await agent.say('run touch refused');
    expect(await agent.next(isResult)).toMatchObject({
      result: 'done: not today',
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch refused' } }],
    });
    expect(existsSync(join(agent.folder, 'refused'))).toBe(false);
  });

  it('[AG4] keeps a rule that the host adds, and asks no more', async () => {
    let questions = 0;
    const agent = await driveAgent({
      onPermission: ({ input }) => {
        questions += 1;
        const rules = [{ toolName: 'Bash', ruleContent: 'touch:*' }];
        return {
          behavior: 'allow',
          updatedInput: input,
          updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }],
        };
      },
    });
    await agent.say('run touch a');
    await agent.next(isResult);
    const after = agent.messages.length;
    await agent.say('run touch b');
    await agent.next(isResult, after);
    expect(questions).toBe(1);
    expect(existsSync(join(agent.folder, 'b'))).toBe(true);
  });

  it('[AG5] refuses what needs asking when nobody can be asked, and what a rule denies', async () => {
    const agent = await driveAgent({ args: ['--allowedTools', 'Bash(echo:*)', '--disallowedTools=Read'] });
    await agent.say('run touch nobody-asked; echo hi');
    expect(await agent.next(isResult)).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    expect(existsSync(join(agent.folder, 'nobody-asked'))).toBe(false);
    let after = agent.messages.length;
    await agent.say('run echo allowed');
    expect(await agent.next(isResult, after)).toMatchObject({
      result: 'done: allowed',
      permission_denials: [],
    });
    after = agent.messages.length;
    await agent.say(`read ${join(agent.folder, 'x')}`);
    expect(await agent.next(isResult, after)).toMatchObject({ permission_denials: [{ tool_name: 'Read' }] });
  });

  it('[AG671] tells hosts that ask for it whether it runs, waits for them or rests', async () => {
    const states = async (env: NodeJS.ProcessEnv): Promise<unknown[]> => {
      const agent = await driveAgent({
        env,
        onPermission: ({ input }) => ({ behavior: 'allow', updatedInput: input }),
      });
      for (const prompt of ['run touch x', 'say more']) {
        const after = agent.messages.length;
        await agent.say(prompt);
        await agent.next(isResult, after);
      }
      await agent.finish();
      return agent.messages.flatMap((message) => {
        if (message.type === 'result') return 'result';
        return message.type === 'system' && message.subtype === 'session_state_changed' ? message.state : [];
      });
    };
    expect(await states({ CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' })).toEqual([
      'running',
      'requires_action',
      'running',
      'result',
      'idle',
      'running',
      'result',
      'idle',
    ]);
    expect(await states({})).toEqual(['result', 'result']);
  });

  it('[AG7] writes a file only after it has seen it as it is', async () => {
    const agent = await driveAgent({
      args: ['--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash(echo:*)'],
    });
    const path = join(agent.folder, 'note.txt');
    await agent.say(`write ${path} first`);
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'success' });
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, 'changed by someone else');
    const after = agent.messages.length;
    await agent.say(`write ${path} second`);
    expect(await agent.next(isResult, after)).toMatchObject({
      result: expect.stringContaining('modified since'),
    });
    expect(await readFile(path, 'utf8')).toBe('changed by someone else');
  });

  it('[AG8] takes a prompt with the same uuid once', async () => {
    const agent = await driveAgent({ args: ['--replay-user-messages'] });
    const uuid = crypto.randomUUID();
    await agent.say('say once', { uuid });
    await agent.say('say once', { uuid });
    await agent.finish();
    expect(kinds(agent).filter((kind) => kind.startsWith('result'))).toHaveLength(1);
    expect(agent.messages.filter((message) => message.type === 'user' && message.isReplay)).toHaveLength(2);
  });

  it('[AG700] replays a prompt when it is answered, after init; one that was taken before, at once', async () => {
    const agent = await driveAgent({ args: ['--replay-user-messages', '--dangerously-skip-permissions'] });
    const uuid = crypto.randomUUID();
    await agent.say('run echo one', { uuid });
    await agent.say('say two');
    await agent.say('say one again', { uuid });
    await agent.say('/cost');
    await agent.finish();
    const told = agent.messages.flatMap((message) => {
      if (message.type === 'result') return message.type;
      if (message.type === 'system' && message.subtype === 'init') return message.subtype;
      return message.type === 'user' && message.isReplay ? [message.message.content] : [];
    });
    const output = expect.stringContaining('local-command-stdout');
    expect(told).toContain('say one again');
    expect(told.filter((what) => what !== 'say one again')).toEqual(
      [
        ['init', 'run echo one', 'result'],
        ['init', 'say two', 'result'],
        ['init', output, '/cost', 'result'],
      ].flat(),
    );
  });

  it('[AG701] says in a result that a person, or the end of a task, led to it; nothing else can be claimed', async () => {
    const agent = await driveAgent({ args: ['--replay-user-messages', '--dangerously-skip-permissions'] });
    const turn = async (prompt: string, fields: Record<string, unknown> = {}) => {
      const mark = agent.messages.length;
      await agent.say(prompt, fields);
      return agent.next(isResult, mark);
    };
    expect(await turn('say hi', { origin: { kind: 'human', name: 'x' } })).toMatchObject({
      origin: { kind: 'human' },
    });
    expect(agent.messages.find((message) => message.type === 'user')).toMatchObject({
      isReplay: true,
      origin: { kind: 'human' },
    });
    for (const origin of [{ kind: 'task-notification' }, { kind: 'peer', from: 'x' }, undefined])
      expect(await turn('say hi', origin ? { origin } : {})).not.toHaveProperty('origin');
    const mark = agent.messages.length + 1;
    const ended = await turn('call Bash {"command":"true","run_in_background":true}');
    const after = agent.messages.indexOf(ended) + 1;
    expect(await agent.next(isResult, after)).toMatchObject({ origin: { kind: 'task-notification' } });
    const replayed = agent.messages
      .slice(mark)
      .filter((message) => message.type === 'user' && message.isReplay);
    expect(replayed).toHaveLength(1);
  });

  it('[AG9] refuses what it does not know, a second initialize with the open questions, and a wrong mode', async () => {
    const { promise: asked, resolve: onAsked } = withResolvers();
    const agent = await driveAgent({
      onPermission: () => {
        onAsked();
        return new Promise(() => {});
      },
    });
    await agent.peer.request({ subtype: 'initialize' });
    await agent.say('run touch open');
    await asked;
    await expect(agent.peer.request({ subtype: 'initialize' })).rejects.toMatchObject({
      message: 'Already initialized',
      response: {
        pending_permission_requests: [{ request: { subtype: 'can_use_tool', tool_name: 'Bash' } }],
      },
    });
    await expect(agent.peer.request({ subtype: 'nonsense' })).rejects.toMatchObject({
      errorCode: 'unsupported_request',
    });
    await expect(agent.peer.request({ subtype: 'set_permission_mode', mode: 'x' })).rejects.toMatchObject({
      errorCode: 'invalid_mode',
    });
    await expect(
      agent.peer.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
    ).rejects.toMatchObject({ errorCode: 'bypass_not_launched' });
  });

  it('[AG34] hears of a tool that takes long', async () => {
    const agent = await driveAgent({
      args: ['--dangerously-skip-permissions'],
      env: { SIGNALBOX_TOOL_PROGRESS_MS: '50' },
    });
    await agent.say('run sleep 0.5');
    await agent.next(isResult);
    expect(agent.messages.find(({ type }) => type === 'tool_progress')).toMatchObject({
      tool_name: 'Bash',
      tool_use_id: expect.any(String),
      elapsed_time_seconds: expect.any(Number),
    });
  });

  it.each([
    ['no JSON', 'this is not json', 'Error parsing streaming input line'],
    [
      'no JSON, with the head of a request',
      '{"type":"control_request","request":{bad',
      'Error parsing streaming input line',
    ],
    [
      'no JSON, with the head of an answer',
      '{"type":"control_response","response":{bad',
      'Error parsing streaming input line',
    ],
    ['a wrong role', '{"type":"user","message":{"role":"assistant","content":"x"}}', 'role'],
  ])('[AG10] ends with one clear line on stderr and code 1 after %s', async (_what, line, text) => {
    const agent = await driveAgent();
    await agent.transport.send(line);
    const { code } = await agent.transport.exited;
    expect(code).toBe(1);
    expect(agent.transport.stderrTail).toContain(text);
    expect(agent.transport.stderrTail.trim().split('\n')).toHaveLength(1);
  });
});

describe('the end of a process', () => {
  it('[AG22] comes by itself when CLAUDE_CODE_EXIT_AFTER_STOP_DELAY has passed without a prompt', async () => {
    const agent = await driveAgent({ env: { CLAUDE_CODE_EXIT_AFTER_STOP_DELAY: '50' } });
    await agent.say('say hi');
    expect(await agent.transport.exited).toEqual({ code: 0, signal: null });
    expect(kinds(agent).at(-1)).toBe('result/success');
  });

  it('[AG23] takes running commands along on SIGTERM', async () => {
    const agent = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    await agent.say('run sleep 60 & echo $! > pid; wait');
    const pid = await pollFile(join(agent.folder, 'pid'));
    process.kill(agent.transport.pid, 'SIGTERM');
    expect((await agent.transport.exited).code).toBe(143);
    expect(isRunning(Number(pid))).toBe(false);
  });

  it('[AG24] tells commands who started the agent', async () => {
    const agent = await driveAgent({
      args: ['--dangerously-skip-permissions'],
      env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' },
    });
    await agent.say('run printenv CLAUDE_CODE_ENTRYPOINT');
    expect(await agent.next(isResult)).toMatchObject({ result: 'done: sdk-ts' });
    const other = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    await other.say('run printenv CLAUDE_CODE_ENTRYPOINT');
    expect(await other.next(isResult)).toMatchObject({ result: 'done: sdk-cli' });
  });
});

describe('the command line', () => {
  it('[AG11] prints text, or the result as JSON, for a prompt from the command line or stdin', async () => {
    const model = await startScriptedModel({ scenario: 'puppet' });
    onTestFinished(() => model.close());
    const env = agentEnv('/nonexistent', model.url);
    const print = async (args: string[], stdin: string): Promise<string> => {
      const child = run(process.execPath, [AGENT, '-p', ...args], { env });
      child.child.stdin?.end(stdin);
      return (await child).stdout;
    };
    expect(await print(['say hello'], '')).toBe('hello\n');
    expect(JSON.parse(await print(['--output-format=json', 'say hello'], ''))).toMatchObject({
      type: 'result',
      result: 'hello',
    });
    expect(await print([], 'say from stdin')).toBe('from stdin\n');
    expect(await print(['say this and'], 'that')).toBe('this and\nthat\n');
    // A pipe that nobody writes to and nobody closes.
    expect((await run(process.execPath, [AGENT, '-p', 'say at last'], { env })).stdout).toBe('at last\n');
  });

  it('[AG12] says what is wrong with a command line, with code 1 and no stack', async () => {
    for (const [args, text] of [
      [['--nonsense'], 'Unknown option --nonsense'],
      [['-p', '--output-format', 'yaml', 'x'], '--output-format must be one of'],
      [['-p', '--input-format', 'stream-json', 'x'], 'requires --output-format=stream-json'],
      [['-p', '--max-turns', '-1', 'x'], '--max-turns'],
      [['-p', '--session-id', 'abc', 'x'], '--session-id must be a UUID'],
      [['-p', '--model'], '--model needs a value'],
    ] as const) {
      const failed = run(process.execPath, [AGENT, ...args], {
        env: agentEnv('/nonexistent', 'http://127.0.0.1:9'),
      });
      failed.child.stdin?.end();
      await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
      await expect(failed).rejects.toMatchObject({ stderr: expect.not.stringContaining('    at ') });
    }
  });

  it('[AG12] says so when the working directory is gone', async () => {
    const script = `d=$(mktemp -d); cd "$d"; rmdir "$d"; exec "${process.execPath}" "${AGENT}" -p hi < /dev/null`;
    const env = agentEnv('/nonexistent', 'http://127.0.0.1:9');
    await expect(run('bash', ['-c', script], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('working directory is gone'),
    });
  });

  it('[AG12] prints its versions and its help', async () => {
    expect((await run(process.execPath, [AGENT, '-v'])).stdout).toMatch(
      /^2\.\d+\.\d+ \(signalbox-agent \d+\.\d+\.\d+\)\n$/,
    );
    expect((await run(process.execPath, [AGENT, '--help'])).stdout).toContain('--output-format');
  });

  it('[AG13] ends a turn with the reason when the model cannot be asked', async () => {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
    await expect(run(process.execPath, [AGENT, '-p', 'x'], { env })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });
});
