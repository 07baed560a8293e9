import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScriptedModel } from '@signalbox/model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentEnv } from './drive-agent.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
const run = promisify(execFile);

/** A shell in a folder of its own, where `agent` is the command. */
async function openShell(): Promise<{
  folder: string;
  shell: (line: string) => Promise<{ stdout: string; stderr: string }>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-pipes-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(async () => {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const script = `agent() { '${process.execPath}' '${AGENT}' "$@"; }`;
  const options = { cwd: folder, env: agentEnv(folder, model.url) };
  return { folder, shell: (line) => run('bash', ['-c', `${script}\n${line}`], options) };
}

describe('signalbox-agent in a pipe', () => {
  it('[AG730] prints the answer where there is no terminal, also without -p', async () => {
    const { shell } = await openShell();
    expect(await shell('agent "say from the line" < /dev/null')).toEqual({
      stdout: 'from the line\n',
      stderr: '',
    });
    expect((await shell('echo say from stdin | agent')).stdout).toBe('from stdin\n');
    await expect(shell('agent < /dev/null')).rejects.toMatchObject({
      code: 1,
      stderr: 'Input must be provided either through stdin or as a prompt argument when using --print.\n',
    });
    await expect(shell('agent --resume < /dev/null')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--resume needs a session id'),
    });
  });

  it('[AG731] does what it was asked for when its reader has seen enough, and says nothing of it', async () => {
    const { folder, shell } = await openShell();
    const stream = '--output-format stream-json --verbose --dangerously-skip-permissions';
    const seen = await shell(
      `agent -p 'run sleep 0.5; touch made' ${stream} < /dev/null | head -c 7; echo " $PIPESTATUS"`,
    );
    expect(seen).toEqual({ stdout: '{"type" 0\n', stderr: '' });
    expect(existsSync(join(folder, 'made'))).toBe(true);
    for (const args of ['-p "say much"', `-p "say much" ${stream}`, '--help', '-v'])
      expect(await shell(`agent ${args} < /dev/null | true; echo $PIPESTATUS`)).toEqual({
        stdout: '0\n',
        stderr: '',
      });
    expect((await shell('agent --nonsense 2>&1 | true; echo $PIPESTATUS')).stdout).toBe('1\n');
  });
});
