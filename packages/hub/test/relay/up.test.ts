import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@signalbox/testing/free-port';
import { SIGNALBOX } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestFrontend } from './test-frontend.ts';

function up(home: string, flags: readonly string[]) {
  const child = spawn(process.execPath, [SIGNALBOX, 'up', '--no-welcome', ...flags], {
    env: { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output.err += text));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { output, exited };
}

describe('signalbox up', () => {
  it('[RY9] opens the relay and approves by itself only when told, and says so loudly', async () => {
    const port = await freePort();
    const { output } = up(temporaryFolder(), ['--port', String(port), '--open-relay', '--auto-approve']);
    await until(() => output.out.includes('is up at'));
    const warnings = output.err.split('\n').filter((line) => line.startsWith('WARNING'));
    expect(warnings).toEqual([
      expect.stringContaining('--open-relay: every program of this machine may drive every agent'),
      expect.stringContaining('--auto-approve: every tool call of every agent is allowed'),
    ]);
    const url = `http://127.0.0.1:${port}`;
    const frontend = await TestFrontend.connect(`${url}/ws`);
    // Agents need a token all the same.
    await expect(TestAgent.dial(`${url}/ws/s`, 'none', { reconnect: { attempts: 0 } })).rejects.toThrow(
      /401/,
    );
    frontend.prompt('nobody is there');
    await until(() => frontend.statuses.some((text) => text.startsWith('RELAY_NO_AGENT')));

    const refused = up(temporaryFolder(), [
      '--port',
      '0',
      '--open-relay',
      '--host',
      '0.0.0.0',
      '--behind-proxy',
    ]);
    await refused.exited;
    expect(refused.output.err).toContain('on a loopback address only');
  });
});
