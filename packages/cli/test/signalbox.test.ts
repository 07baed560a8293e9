import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SIGNALBOX = fileURLToPath(new URL('../../../dist/signalbox.js', import.meta.url));
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
    expect(stdout).toContain('● Bash sh departures.sh');
    expect(stdout).toContain('09:17  Merge Junction     2');
    expect(stdout).toContain('✓ That was signalbox-agent');
    expect(stderr).toBe('');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('signalbox', () => {
  it('[CL2] explains a command that does not exist, and lists those that do', async () => {
    await expect(run(process.execPath, [SIGNALBOX, 'fly'])).rejects.toMatchObject({
      code: 2,
      stderr: 'signalbox: there is no command "fly". Try signalbox --help.\n',
    });
    const { stdout } = await run(process.execPath, [SIGNALBOX, '--help']);
    for (const command of ['demo', 'model']) expect(stdout).toContain(`  ${command}`);
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
    const url = await announcedUrl(child);
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

async function announcedUrl(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const url = /ANTHROPIC_BASE_URL=(\S+)/.exec(text)?.[1];
    if (url) return url;
  }
  throw new Error(`no URL in: ${text}`);
}
