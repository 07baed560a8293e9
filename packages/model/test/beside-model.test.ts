import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SIGNALBOX = fileURLToPath(new URL('../../../dist/signalbox.js', import.meta.url));
const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
const run = promisify(execFile);

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'signalbox-beside-'));
});
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

/** The words that run a command beside the model. */
function beside(command: readonly string[], script = 'puppet'): string[] {
  return [SIGNALBOX, 'model', '--script', script, '--', ...command];
}

function env(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home };
}

describe('signalbox model -- command', () => {
  it('[LN21] runs the command on its own stdio with a model that it finds by itself', async () => {
    const command = [process.execPath, AGENT, '-p', 'say hello'];
    const { stdout, stderr } = await run(process.execPath, beside(command), { env: env(), cwd: home });
    expect({ stdout, stderr }).toEqual({ stdout: 'hello\n', stderr: '' });
    const echo = spawn(process.execPath, beside(['cat']), { env: env() });
    echo.stdin.end('a line\n');
    expect(String((await once(echo.stdout, 'data'))[0])).toBe('a line\n');
    expect(await once(echo, 'exit')).toEqual([0, null]);
  });

  it('[LN21] ends as the command ends, and passes signals on to it', async () => {
    await expect(run(process.execPath, beside(['sh', '-c', 'exit 7']), { env: env() })).rejects.toMatchObject(
      {
        code: 7,
      },
    );
    const code = `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('up')`;
    const child = spawn(process.execPath, beside([process.execPath, '-e', code]), { env: env() });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
    const killed = run(process.execPath, beside(['sh', '-c', 'kill -KILL $$']), { env: env() });
    await expect(killed).rejects.toMatchObject({ code: 137 });
  });

  it('[LN21] explains a command that cannot be run, and one that is missing', async () => {
    const absent = run(process.execPath, beside([join(home, 'absent')]), { env: env() });
    await expect(absent).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('cannot run') });
    const none = run(process.execPath, beside([]), { env: env() });
    await expect(none).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('after --') });
  });
});
