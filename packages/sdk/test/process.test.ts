import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AbortError, type Options, query, type SpawnOptions } from '../src/index.ts';
import { findExecutable } from '../src/process/find-executable.ts';
import { collect, fakeAgent, isRunning, never, OBEDIENT, thrownBy, untilGone } from './fake-agent.ts';
import { startHost } from './host-program.ts';

/** Says something, then never ends its turn. */
const ENDLESS = `return { user: () => out({ type: 'assistant' }) };`;

/** Leaves neither at the end of its input nor when it is asked to, and has a child that does not either. */
const STUBBORN = `
  const { spawn } = await import('node:child_process');
  const deaf = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000); console.log('up')";
  const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'pipe', 'ignore'] });
  process.on('SIGTERM', () => log({ sigterm: true }));
  setInterval(() => {}, 1000);
  return { user: () => child.stdout.once('data', () => { log({ child: child.pid }); out({ type: 'assistant' }); }), end: () => {} };`;

describe('the end of an agent', () => {
  it('[SD11] an exit code is an error, with the last words of stderr', async () => {
    const agent = await fakeAgent(
      `return { user: () => { process.stderr.write('bad\\nworse\\n', () => process.exit(7)); } };`,
    );
    const error = await thrownBy(collect(query({ prompt: 'x', options: agent.options() })));
    expect(error).toMatchObject({
      code: 'PROCESS_FAILED',
      exitCode: 7,
      signal: null,
      stderr: 'bad\nworse\n',
      message: 'Claude Code process exited with code 7. stderr: bad\nworse',
    });
  });

  it('[SD11] so is a signal', async () => {
    const agent = await fakeAgent(`return { user: () => process.kill(process.pid, 'SIGKILL') };`);
    const error = await thrownBy(collect(query({ prompt: 'x', options: agent.options() })));
    expect(error).toMatchObject({ code: 'PROCESS_FAILED', exitCode: null, signal: 'SIGKILL' });
  });

  it('[SD11] an agent that leaves with 0 just ends', async () => {
    const agent = await fakeAgent(`return { user: () => process.exit(0) };`);
    expect(await collect(query({ prompt: 'x', options: agent.options() }))).toEqual([]);
  });

  it('[SD12] an exit code that a failed turn explains carries the result of that turn', async () => {
    const agent = await fakeAgent(`return {
      user: () => result({ subtype: 'error_max_turns', is_error: true, errors: ['too many'] }), end: () => process.exit(1) };`);
    const conversation = query({ prompt: 'x', options: agent.options() });
    expect((await conversation.next()).value).toMatchObject({ type: 'result', subtype: 'error_max_turns' });
    expect(await thrownBy(conversation.next())).toMatchObject({
      code: 'RESULT_ERROR',
      result: { subtype: 'error_max_turns' },
      cause: { exitCode: 1 },
      message:
        'The last turn of the agent failed with error_max_turns: too many (Claude Code process exited with code 1)',
    });
  });

  const WAYS: [string, (options: Options) => Promise<void>][] = [
    [
      'break',
      async (options) => {
        for await (const _ of query({ prompt: 'x', options })) break;
      },
    ],
    [
      'throw in the loop',
      async (options) => {
        const loop = async () => {
          for await (const _ of query({ prompt: 'x', options })) throw new Error('mine');
        };
        await expect(loop()).rejects.toThrow('mine');
      },
    ],
    [
      'close',
      async (options) => {
        const conversation = query({ prompt: 'x', options });
        for await (const _ of conversation) conversation.close();
      },
    ],
    [
      'disposal',
      async (options) => {
        await using conversation = query({ prompt: 'x', options });
        await conversation.next();
      },
    ],
    [
      'abort',
      async (options) => {
        const abortController = new AbortController();
        const conversation = query({ prompt: never(), options: { ...options, abortController } });
        await conversation.next();
        abortController.abort(new Error('why'));
        const error = await thrownBy(conversation.next());
        expect(error).toBeInstanceOf(AbortError);
        expect(error).toMatchObject({ code: 'ABORTED', cause: new Error('why') });
      },
    ],
  ];

  it.each(WAYS)('[SD13] %s ends the agent', async (_way, leave) => {
    const agent = await fakeAgent(ENDLESS);
    await leave(agent.options());
    await untilGone((await agent.start()).started);
    expect((await agent.log()).at(-1)).toEqual({ inputEnded: true });
  });

  it('[SD13] disposal waits until it is gone', async () => {
    const agent = await fakeAgent(ENDLESS);
    const conversation = query({ prompt: 'x', options: agent.options() });
    await conversation.next();
    await conversation[Symbol.asyncDispose]();
    expect(isRunning((await agent.start()).started)).toBe(false);
    expect(await conversation.next()).toEqual({ done: true, value: undefined });
    await expect(conversation.interrupt()).rejects.toMatchObject({ code: 'CONTROL_CLOSED' });
  });

  it('[SD13] aborted before it began, nothing is started', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const options = agent.options({ abortController: new AbortController() });
    options.abortController?.abort();
    await expect(collect(query({ prompt: 'x', options }))).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await agent.log()).toEqual([]);
  });

  it('[SD14] one that will not leave is asked by SIGTERM, then killed with all that it started', async () => {
    const agent = await fakeAgent(STUBBORN);
    for await (const _ of query({ prompt: 'x', options: agent.options() })) break;
    const { started } = await agent.start();
    const child = Number((await agent.log()).find((entry) => 'child' in entry)?.['child']);
    expect(child).toBeGreaterThan(0);
    await untilGone(started, child);
    expect(await agent.log()).toContainEqual({ sigterm: true });
  });

  it.each([
    ['process.exit(0)', STUBBORN],
    ["throw new Error('crash')", STUBBORN],
    ["process.kill(process.pid, 'SIGKILL')", ENDLESS],
  ])('[SD15] an agent does not outlive its host: %s', async (end, script) => {
    const agent = await fakeAgent(script);
    const child = await startHost(
      agent.folder,
      `const options = { pathToClaudeCodeExecutable: ${JSON.stringify(agent.path)} };
       for await (const _ of query({ prompt: 'x', options })) { ${end}; }`,
    );
    await once(child, 'exit');
    const log = await agent.log();
    await untilGone(
      (await agent.start()).started,
      ...log.flatMap((entry) => Number(entry['child'] ?? []) || []),
    );
    expect(await agent.log()).not.toContainEqual({ sigterm: true });
  });
});

describe('the start of an agent', () => {
  it('[SD16] the executable is what the option names, else what the environment names', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const { pathToClaudeCodeExecutable: path, ...options } = agent.options();
    const env = { ...options.env, SIGNALBOX_EXECUTABLE: path };
    await collect(query({ prompt: 'x', options: { env } }));
    expect((await agent.log()).length).toBeGreaterThan(1);
  });

  it('[SD16] else claude on PATH, else in a usual folder', async () => {
    for (const folder of ['bin', '.claude/local']) {
      const agent = await fakeAgent(OBEDIENT, 'fake');
      await mkdir(join(agent.folder, folder), { recursive: true });
      await symlink(agent.path, join(agent.folder, folder, 'claude'));
      const env = { HOME: agent.folder, PATH: join(agent.folder, 'bin') };
      await collect(query({ prompt: 'x', options: { env } }));
      expect((await agent.heard('user')).length).toBe(1);
    }
  });

  it('[SD16] else the agent that comes with this package', async () => {
    const { folder } = await fakeAgent(OBEDIENT);
    const bundled = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
    // A machine may have one in the only usual folder that is not below the home.
    const expected = existsSync('/usr/local/bin/claude') ? '/usr/local/bin/claude' : bundled;
    expect(findExecutable(undefined, { PATH: '', HOME: folder })).toBe(expected);
  });

  it('[SD17] an executable that is not there is an error that says how to install one', async () => {
    const options = { pathToClaudeCodeExecutable: '/nowhere/claude', env: {} };
    expect(await thrownBy(collect(query({ prompt: 'x', options })))).toMatchObject({
      name: 'CLINotFoundError',
      code: 'CLI_NOT_FOUND',
      message: expect.stringMatching(/\/nowhere\/claude[\s\S]*npm install -g @anthropic-ai\/claude-code/),
    });
  });

  it('[SD17] one that cannot run, or a folder that is not there, is an error that names it', async () => {
    const agent = await fakeAgent(OBEDIENT, 'agent');
    const missing = agent.options({ cwd: join(agent.folder, 'nowhere') });
    await expect(collect(query({ prompt: 'x', options: missing }))).rejects.toMatchObject({
      code: 'CLI_CONNECTION',
      message: expect.stringContaining('nowhere'),
    });
    await chmod(agent.path, 0o644);
    const conversation = query({ prompt: 'x', options: agent.options() });
    await expect(conversation.setModel('m')).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
    await expect(collect(conversation)).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
  });

  it('[SD18] a script is run by the runtime that the options name, with its arguments', async () => {
    const agent = await fakeAgent(OBEDIENT);
    await chmod(agent.path, 0o644);
    await collect(
      query({
        prompt: 'x',
        options: agent.options({ executable: 'node', executableArgs: ['--no-warnings'] }),
      }),
    );
    expect((await agent.start()).execArgv).toEqual(['--no-warnings']);
  });

  it('[SD18] what it writes to stderr goes to the callback', async () => {
    const agent = await fakeAgent(`return { user: () => { process.stderr.write('note'); result(); } };`);
    let heard = '';
    const options = agent.options({ stderr: (text) => (heard += text) });
    await collect(query({ prompt: 'x', options }));
    expect(heard).toBe('note');
  });

  it('[SD18] it runs as the user that is named', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const { username } = userInfo();
    const messages = await collect(query({ prompt: 'x', options: agent.options({ user: username }) }));
    expect(messages.length).toBe(1);
    const nobody = agent.options({ user: 'no-such-user-here' });
    await expect(collect(query({ prompt: 'x', options: nobody }))).rejects.toMatchObject({
      code: 'CLI_CONNECTION',
      message: expect.stringContaining('no-such-user-here'),
    });
  });

  it('[SD19] a custom spawner gets the whole command, and its process is ended like ours', async () => {
    const agent = await fakeAgent(ENDLESS);
    const asked: SpawnOptions[] = [];
    const options = agent.options({
      cwd: agent.folder,
      spawnClaudeCodeProcess: (command) => {
        asked.push(command);
        const { env, cwd } = command;
        return spawn(command.command, command.args, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
      },
    });
    for await (const _ of query({ prompt: 'x', options })) break;
    const [command] = asked;
    expect(command?.args).toContain(agent.path);
    expect(command?.cwd).toBe(agent.folder);
    expect(command?.signal.aborted).toBe(true);
    await untilGone((await agent.start()).started);
  });

  it('[SD19] one whose process never comes to life is an error', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const options = agent.options({
      spawnClaudeCodeProcess: () => spawn('/nowhere/agent', [], { stdio: ['pipe', 'pipe', 'ignore'] }),
    });
    await expect(collect(query({ prompt: 'x', options }))).rejects.toMatchObject({ code: 'PROCESS_FAILED' });
  });

  it('[SD20] an agent that says it is older than 2.0.0 is warned about, unless told not to', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const old = `return { user: () => { out({ type: 'system', subtype: 'init', claude_code_version: '1.9.9\\u001b[2J' }); result(); } };`;
    const agent = await fakeAgent(old);
    await collect(query({ prompt: 'x', options: agent.options() }));
    await new Promise(setImmediate);
    expect(warnings).toEqual([expect.objectContaining({ code: 'AGENT_TOO_OLD' })]);
    expect(warnings[0]?.message).toContain('Claude Code 1.9.92J is older');
    process.env['CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK'] = '1';
    onTestFinished(() => void delete process.env['CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK']);
    await collect(query({ prompt: 'x', options: agent.options() }));
    await new Promise(setImmediate);
    expect(warnings.length).toBe(1);
  });
});
