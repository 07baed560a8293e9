import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { TmuxPane } from '@signalbox/testing/tmux-pane';
import { describe, expect, it, onTestFinished } from 'vitest';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

/** A terminal in a project, and a home to come back to. */
async function sitDown(): Promise<{
  folder: string;
  open: (...args: string[]) => Promise<TmuxPane>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-sit-'));
  await mkdir(join(folder, 'home'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(async () => {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = {
    HOME: join(folder, 'home'),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  };
  return {
    folder,
    open: (...args) =>
      TmuxPane.start(['sh', '-c', `cd '${folder}' && exec '${AGENT}' "$@"`, 'sh', ...args], { env }),
  };
}

async function leave(pane: TmuxPane): Promise<void> {
  await pane.press('C-d');
  await pane.see('exit code 0');
}

describe('signalbox-agent without -p', () => {
  it('[CH490] is put aside with Ctrl-Z, and comes back below what the shell did meanwhile', async () => {
    const { folder } = await sitDown();
    const model = await startScriptedModel({ scenario: 'puppet' });
    onTestFinished(() => model.close());
    const env = {
      HOME: join(folder, 'home'),
      PS1: 'shell> ',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
    };
    const pane = await TmuxPane.start(['bash', '--norc', '-i'], { env });
    await pane.see('shell>');
    await pane.type(`cd '${folder}' && clear && '${AGENT}'`);
    await pane.press('Enter');
    await pane.see('What shall we do?');
    await pane.say('say before');
    await pane.see('● before');
    await pane.type('half a prompt');
    await pane.see('❯ half a prompt');
    await pane.press('C-z');
    const shell = await pane.see('Stopped');
    expect(shell).not.toContain('half a prompt');
    // The terminal is the shell's own again: what is typed is seen once, and a line ends where it should.
    await pane.type('echo and "bye now"');
    await pane.press('Enter');
    await pane.see('\nand bye now\n');
    await pane.type('fg');
    await pane.press('Enter');
    await pane.see('❯ half a prompt');
    await pane.press('C-u');
    await pane.say('say after');
    const screen = await pane.see('● after');
    expect(screen.match(/● before/g)).toHaveLength(1);
    await pane.press('C-d');
    await pane.see((text) => text.trimEnd().endsWith('shell>'));
  });

  it('[CL5] is a chat: it streams, asks, takes yes and no, and is interrupted', async () => {
    const { folder, open } = await sitDown();
    const pane = await open();
    await pane.see('What shall we do?');
    await pane.say('say good morning');
    await pane.see('● good morning');
    await pane.say('run touch allowed');
    await pane.asked('Allow Bash?');
    await pane.press('1');
    await pane.see('done:');
    expect(existsSync(join(folder, 'allowed'))).toBe(true);
    await pane.say('run touch denied');
    await pane.asked('Allow Bash?');
    await pane.press('Escape');
    await pane.see((screen) => !screen.includes('Allow Bash?'));
    expect(existsSync(join(folder, 'denied'))).toBe(false);
    await pane.say('slow 4000');
    await pane.see('w5');
    await pane.press('Escape');
    await pane.see((screen) => screen.split('Stopped.').length === 3 && !screen.includes('esc to interrupt'));
    await leave(pane);
  });

  it('[CH867] shows the status line of the person, not one of a folder that they do not trust, and says why one fails', async () => {
    const { folder, open } = await sitDown();
    const settings = async (place: string, command: string): Promise<void> => {
      await mkdir(join(folder, place, '.claude'), { recursive: true });
      const statusLine = { type: 'command', command };
      await writeFile(join(folder, place, '.claude/settings.json'), JSON.stringify({ statusLine }));
    };
    await settings('.', `touch '${folder}/ran'; echo of the folder`);
    await settings(
      'home',
      `[ -e '${folder}/fail' ] && { echo dead battery >&2; exit 4; }; echo of the person`,
    );
    const pane = await open();
    await pane.see('[y/N]');
    await pane.press('n', 'Enter');
    const shown = '❯ What shall we do?\n  of the person\n';
    await pane.see(shown);
    await writeFile(join(folder, 'fail'), '');
    await pane.press('BTab');
    await pane.see(
      (screen) => screen.includes('failed: it ended with code 4: dead battery') && !screen.includes(shown),
    );
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    await leave(pane);
  });

  it('[HK730] tells SessionStart hooks at its start and after /clear, and SessionEnd hooks why it ends', async () => {
    const { folder, open } = await sitDown();
    const log = join(folder, 'hooks.log');
    const heard = async (): Promise<string[]> =>
      (await readFile(log, 'utf8').catch(() => ''))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map(({ hook_event_name, source, reason }) => `${hook_event_name} ${source ?? reason}`);
    const until = async (count: number): Promise<void> => {
      while ((await heard()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const hooks = [{ hooks: [{ type: 'command', command: `tee -a '${log}'; echo >> '${log}'` }] }];
    const settings = JSON.stringify({ hooks: { SessionStart: hooks, SessionEnd: hooks } });
    const pane = await open('--settings', settings);
    await until(1);
    await pane.see('What shall we do?');
    await pane.say('say good morning');
    await pane.see('● good morning');
    await pane.say('/clear');
    await until(3);
    await leave(pane);
    expect(await heard()).toEqual([
      'SessionStart startup',
      'SessionEnd clear',
      'SessionStart clear',
      'SessionEnd prompt_input_exit',
    ]);
    const again = await open('--continue', '--settings', settings);
    await until(5);
    await again.see('What shall we do?');
    await leave(again);
    expect((await heard()).slice(4)).toEqual(['SessionStart resume', 'SessionEnd prompt_input_exit']);
  });

  it('[CL5] lets a person choose the session to go on with', async () => {
    const { open } = await sitDown();
    const first = await open();
    await first.see('What shall we do?');
    await first.say('say remember the blue train');
    await first.see('● remember the blue train');
    await leave(first);
    const again = await open('--resume');
    await again.see('say remember the blue train');
    await again.press('Enter');
    await again.see('● remember the blue train');
    await again.say('say and now the red one');
    await again.see('● and now the red one');
    await leave(again);
  });

  it('[CL6][CH627] asks whether a project that wants more than it may is trusted, once, and takes no for an answer', async () => {
    const { folder, open } = await sitDown();
    await mkdir(join(folder, '.claude'));
    const settings = { permissions: { allow: ['Bash(touch:*)'] } };
    await writeFile(join(folder, '.claude', 'settings.json'), JSON.stringify(settings));
    const refused = await open();
    await refused.see('Do you trust whoever wrote it?');
    await refused.press('n', 'Enter');
    await refused.see('What shall we do?');
    expect((await refused.all()).match(/is not trusted/g)).toHaveLength(1);
    await leave(refused);
    const pane = await open();
    await pane.see('Do you trust whoever wrote it?');
    // [CL490] The terminal broke no line of it.
    for (const line of (await pane.all()).split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    await pane.press('y', 'Enter');
    await pane.see('What shall we do?');
    await pane.say('run touch unasked');
    await pane.see('done:');
    expect(existsSync(join(folder, 'unasked'))).toBe(true);
    await leave(pane);
    const state = JSON.parse(await readFile(join(folder, 'home', '.claude.json'), 'utf8'));
    expect(Object.values(state.projects)).toMatchObject([{ hasTrustDialogAccepted: true }]);
    const again = await open();
    await again.see('What shall we do?');
    expect(await again.all()).not.toContain('Do you trust');
    await leave(again);
  });
});
