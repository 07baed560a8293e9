import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TmuxPane } from '@signalbox/testing/tmux-pane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SIGNALBOX = fileURLToPath(new URL('../../../dist/signalbox.js', import.meta.url));
const COMMANDS = [
  'demo',
  'model',
  'up',
  'down',
  'run',
  'loop',
  'loops',
  'sessions',
  'budgets',
  'spend',
  'profiles',
  'conversations',
  'terminal',
  'attach',
  'link',
  'devices',
  'doctor',
  'bridge',
];
const run = promisify(execFile);

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-cli-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine with nothing on it but Node: no key, no settings, a temporary folder of its own. */
function bareEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, TMPDIR: folder };
}

describe('signalbox demo', () => {
  it('[CL1] plays a whole session and leaves nothing behind', async () => {
    const { stdout, stderr } = await run(process.execPath, [SIGNALBOX, 'demo', '--yes'], { env: bareEnv() });
    expect(stdout).toContain('● Write');
    expect(stdout).toMatch(/● Bash.*sh departures\.sh/);
    expect(stdout).toContain('09:17  Merge Junction     2');
    expect(stdout).toContain('✓ That was signalbox-agent');
    expect(stderr).toBe('');
    expect(await readdir(folder)).toEqual([]);
  });

  it('[CL629] shows a person all of a call before it asks, and what it wrote as a page', async () => {
    const pane = await TmuxPane.start([process.execPath, SIGNALBOX, 'demo'], {
      env: { HOME: folder, TMPDIR: folder },
    });
    const asked = await pane.see('Allow Write?');
    expect(asked).toContain("+ printf '%-6s %-18s %s\\n' 09:17 'Merge Junction' 2");
    await pane.press('Enter');
    await pane.see('Allow Bash?');
    await pane.press('Enter');
    const end = await pane.see('exit code 0');
    expect(end).toContain('That was signalbox-agent');
    expect(await pane.all()).not.toContain('```');
  });
});

describe('signalbox', () => {
  it('[CL2] explains a command that does not exist, and lists those that do', async () => {
    await expect(run(process.execPath, [SIGNALBOX, 'fly'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no command "fly". Try \S+ --help\./),
    });
    const { stdout } = await run(process.execPath, [SIGNALBOX, '--help']);
    for (const command of COMMANDS) expect(stdout).toContain(`  ${command}`);
  });
});

describe('signalbox and a hub', () => {
  it.each([[[]], [['--port', '0']]])('[CL7] without a command runs the hub: %j', async (words) => {
    const env = { ...bareEnv(), ANTHROPIC_API_KEY: 'none' };
    const child = spawn(process.execPath, [SIGNALBOX, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await said(child, /is up at (\S+)/);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('[CL360] goes on when whoever read its output has left, and ends well', async () => {
    const child = spawn(process.execPath, [SIGNALBOX, '--port', '0'], {
      env: { ...bareEnv(), ANTHROPIC_API_KEY: 'none' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const url = await said(child, /is up at (\S+)/);
    child.stdout.destroy();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    // It says more at its end, to nobody.
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([['run', 'hello'], ['sessions'], ['attach'], ['link'], ['devices']])(
    '[CL24] %s without one says how to start it',
    async (...words) => {
      const failed = run(process.execPath, [SIGNALBOX, ...words], { env: bareEnv() });
      await expect(failed).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('signalbox.js up'),
      });
    },
  );

  it.each([
    ['run'],
    ['sessions', 'fly'],
    ['sessions', '--state', 'tired'],
    ['attach', 'one', 'two'],
    ['doctor', '--quickly'],
    ['run', '--yess', 'hello'],
    ['run', '--mode', 'wild', 'hello'],
    ['link', '--scope', 'all'],
    ['devices', 'forget', 'x'],
    ['down', '--agent'],
    ['up', '--prot', '9000'],
    ['up', '--port', 'none'],
    ['up', '--cert', 'nowhere.pem', '--key', 'nowhere.key'],
  ])('[CL25] explains a command line that is wrong: %s %s', async (...words) => {
    const failed = run(process.execPath, [SIGNALBOX, ...words], { env: bareEnv() });
    const stderr = expect.stringContaining(`signalbox.js ${words[0]} --help.`);
    await expect(failed).rejects.toMatchObject({ code: 2, stderr });
    expect(await readdir(folder)).toEqual([]);
  });

  it('[CL25] names the options that an open address needs, before there is any data', async () => {
    const failed = run(process.execPath, [SIGNALBOX, 'up', '--host', '0.0.0.0'], { env: bareEnv() });
    const stderr = expect.stringMatching(/--cert and --key, or --behind-proxy/);
    await expect(failed).rejects.toMatchObject({ code: 1, stderr });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(COMMANDS)('[CL38] %s --help fits into 100 columns', async (command) => {
    const { stdout } = await run(process.execPath, [SIGNALBOX, command, '--help'], { env: bareEnv() });
    expect(stdout).toContain('--help');
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });
});

describe('a reader that leaves early', () => {
  it.each(['--help', 'model --list', 'demo --help'])('[CL4] ends signalbox %s quietly', async (words) => {
    const line = `sleep 0.3 | "${process.execPath}" "${SIGNALBOX}" ${words} | true`;
    const { stderr } = await run('bash', ['-c', `set -o pipefail; ${line}`], { env: bareEnv() });
    expect(stderr).toBe('');
  });
});

describe('signalbox model', () => {
  it('[CL3] says how to use it, serves, and ends cleanly on SIGINT', async () => {
    const child = spawn(process.execPath, [SIGNALBOX, 'model', '--script', 'puppet'], { env: bareEnv() });
    const url = await said(child, /ANTHROPIC_BASE_URL=(\S+)/);
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'scripted' },
      body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'say hi' }] }),
    });
    expect(await response.json()).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
    });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('[CL3] explains a bad script without a stack', async () => {
    const script = join(folder, 'bad.json');
    await writeFile(script, '{"name":"bad","turns":[{"sya":["hello"]}]}');
    const failed = run(process.execPath, [SIGNALBOX, 'model', '--script', script], { env: bareEnv() });
    await expect(failed).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('turns[0]') });
    await expect(failed).rejects.toMatchObject({ stderr: expect.not.stringContaining('    at ') });
  });
});

/** What a program says, as far as the pattern looks for it. */
async function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const found = pattern.exec(text)?.[1];
    if (found) return found;
  }
  throw new Error(`no ${String(pattern)} in: ${text}`);
}
