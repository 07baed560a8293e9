import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { hostedCommand } from '../../hub/src/bridge/hosted-command.ts';
import { dialInCommand } from '../src/up/dial-in.ts';
import { HubStage } from './hub-stage.ts';

const HOSTED = expect.arrayContaining(['-p', '--input-format=stream-json', '--permission-prompt-tool=stdio']);

describe('what up prints to let an agent dial in', () => {
  it('[CL287] works in another terminal as it is printed, and the hub says the same', async () => {
    const stage = await HubStage.start();
    await stage.killHub();
    const [, line = ''] = /^ {2}dial in {4}(.+)$/m.exec(await stage.startHub()) ?? [];
    expect((await stage.api.agents()).dialIn).toBe(line);
    // Another terminal: another folder, and nothing of the hub's environment but the key of the person.
    const { PATH, HOME, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = stage.env;
    const env = { PATH, HOME, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY };
    const shell = spawn('/bin/sh', ['-c', line], { cwd: stage.home, env, stdio: 'ignore', detached: true });
    const ended = once(shell, 'exit');
    for (;;) {
      const [session] = (await stage.api.sessions()).items;
      if (session?.state === 'idle') break;
      await pause(50);
    }
    const [session] = (await stage.api.sessions()).items;
    const { stdout } = await stage.run('run', '--session', session?.id ?? '', 'say dialled in');
    expect(stdout).toBe('dialled in\n');
    process.kill(-(shell.pid ?? 0), 'SIGTERM');
    await ended;
  });

  it('[CL3345] names programs in the PATH as a shell runs them, also where Signalbox is one of them', () => {
    const bin = temporaryFolder();
    const [program, agent] = ['signalbox', 'signalbox-agent'].map((name) => {
      writeFileSync(join(bin, name), '');
      return join(bin, name);
    });
    const other = join(temporaryFolder(), 'signalbox-agent.js');
    const node = process.execPath;
    const rest = { name: 'scripted', title: '', path: null, why: null } as const;
    const version = (): Promise<null> => Promise.resolve(null);
    const line = (...command: string[]): string =>
      dialInCommand([{ ...rest, command, version }], { PATH: bin });
    expect(line(node, String(program), 'model', '--', node, String(agent), '-x')).toBe(
      'signalbox bridge -- signalbox model -- signalbox-agent -x',
    );
    expect(line(node, other)).toBe(`signalbox bridge -- ${node} ${other}`);
    expect(line(String(agent))).toBe('signalbox bridge -- signalbox-agent');
  });

  it('[CL628] a bridge in a terminal says which session it is, when the hub goes and when it is back', async () => {
    const stage = await HubStage.start();
    const agent = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
    const pane = await stage.open('bridge', '--', process.execPath, agent);
    const [, id = ''] =
      /session ([\da-f]{8}) of the hub of this machine/.exec(await pane.see('of the hub of this machine')) ??
      [];
    const isThere = async (): Promise<boolean> =>
      (await stage.api.sessions()).items.some((one) => one.id.startsWith(id) && one.state === 'idle');
    while (!(await isThere())) await pause(50);
    await stage.killHub();
    await pane.see('The agent goes on');
    await stage.startHub();
    await pane.see('The hub is reached again.');
    await pane.press('C-c');
    await pane.see('exit code');
  });

  it.each([
    [['claude'], HOSTED],
    [['/usr/bin/claude', '--model', 'x'], HOSTED],
    [['node', '/x/signalbox-agent.js'], HOSTED],
    [['signalbox', 'model', '--script', 'welcome', '--', '/usr/bin/node', '/x/signalbox-agent.js'], HOSTED],
    [
      ['claude', '-p', '--input-format', 'stream-json'],
      ['claude', '-p', '--input-format', 'stream-json'],
    ],
    [
      ['claude', '--version'],
      ['claude', '--version'],
    ],
    [
      ['my-agent', '--folder', '/x/claude'],
      ['my-agent', '--folder', '/x/claude'],
    ],
  ])('[CL288] an agent that is only named gets the options that make it talk: %j', (command, hosted) => {
    expect(hostedCommand(command)).toEqual(hosted);
  });
});
