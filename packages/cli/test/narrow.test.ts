import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { fittedHelp } from '../src/print-help.ts';
import { HubStage, SIGNALBOX } from './hub-stage.ts';

const run = promisify(execFile);

/** What was printed, each line as long as it was written: the terminal may have broken it. */
function longest(printed: string): number {
  return Math.max(...printed.split('\n').map((line) => line.trimEnd().length));
}

describe('a narrow terminal', () => {
  it('[CL490] has what commands print broken at words, and tables that fit', async () => {
    const stage = await HubStage.start();
    mkdirSync(join(stage.project, '.claude'));
    const settings = { hooks: {}, env: { A: '1' }, permissions: { allow: ['Bash(ls:*)'] } };
    writeFileSync(join(stage.project, '.claude/settings.json'), JSON.stringify(settings));
    const { code } = await stage.run('link', '--name', 'the telephone of somebody else', '--person', 'Zoe');
    expect(code).toBe(0);
    for (const [words, seen] of [
      [['trust', '--look', '.'], 'Left out: permissions.allow'],
      [['devices'], 'this one'],
      [['attach', 'nothing-like-it'], 'lists them'],
      [['run', '--mode', 'odd', 'x'], '--help'],
      [['run', '--help'], 'and the agent goes on'],
      [['--help'], 'Usage: signalbox <command>'],
    ] as const) {
      const pane = await stage.openAt(40, ...words);
      await pane.see('exit code');
      const printed = (await pane.all()).replaceAll(stage.home, '~').replaceAll(SIGNALBOX, 'signalbox.js');
      expect(printed.replaceAll(/\s+/g, ' ')).toContain(seen);
      expect(longest(printed)).toBeLessThanOrEqual(40);
    }
    const session = await stage.launch();
    const seat = await stage.openAt(40, 'attach', session);
    await seat.see('What shall we do?');
    await seat.press('C-d');
    await seat.see('exit code 0');
    const words = (await seat.all()).replaceAll(SIGNALBOX, 'signalbox.js');
    // Where the line breaks depends on where the program is.
    expect(words).toMatch(/Come back with\nsignalbox\.js\s+attach\s+[\da-f]{8}\n/);
  });

  it('[CL817] has help filled anew, with what is said of an option in its column', () => {
    const help =
      'Usage: x\n\nOne two three\nfour, and on and on to the very end of all of it.\n\n  --long NAME  says a thing or two\n               and more of it\n  -h           this\n';
    expect(fittedHelp(help, 80)).toBe(help);
    expect(fittedHelp(help, 40).split('\n').slice(2)).toEqual([
      'One two three four, and on and on to the',
      'very end of all of it.',
      '',
      '  --long NAME  says a thing or two',
      '               and more of it',
      '  -h           this',
      '',
    ]);
    expect(fittedHelp(help, 30).split('\n').slice(6)).toEqual([
      '  --long NAME',
      '      says a thing or two',
      '      and more of it',
      '  -h',
      '      this',
      '',
    ]);
  });

  it('[CL491] gets commands from up that a shell takes as they are shown, and a link in a line of its own', async () => {
    const stage = await HubStage.start();
    await stage.killHub();
    const pane = await stage.openAt(70, 'up', '--no-welcome', '--port', String(stage.port));
    await pane.see('Ctrl-C ends the hub alone');
    const printed = await pane.all();
    expect(printed).toMatch(/^ {2}sign in\nhttp:\S+\n/m);
    const other = printed.split('\n').filter((line) => !line.startsWith('http:'));
    // A word longer than the line has one of its own: here the path of the test's folder.
    for (const line of other) expect(line.length <= 70 || /^ {4}("[^"]*"|\S+)( \\)?$/.test(line)).toBe(true);
    const commandOf = (label: string): string =>
      new RegExp(`^  ${label}\\n((?:.*\\\\\\n)*.*)`, 'm').exec(printed)?.[1] ?? '';
    const { stdout } = await run('/bin/sh', ['-c', commandOf('call')], { env: stage.env });
    expect(JSON.parse(stdout)).toMatchObject({ items: [] });
    const words = commandOf('dial in')
      .replaceAll(/ \\\n */g, ' ')
      .trim();
    expect(words).toBe((await stage.api.agents()).dialIn);
    await pane.press('C-c');
    await pane.see('exit code 0');
  });

  it('[CL494] is asked by run in few words: what a further answer would keep, and the question', async () => {
    const stage = await HubStage.start();
    const pane = await stage.openAt(40, 'run', '--agent', 'scripted', 'write');
    await pane.see('[y/a/n or why not]');
    const screen = await pane.screen();
    expect(screen).toContain('· a: yes, and accept all edits');
    expect(screen).not.toContain('allows it ·');
    await pane.say('n');
    await pane.see('exit code 0');
  });
});

describe('what people are told to do next', () => {
  it('[CL492] is a command that works where they are: by file, by its short path, by npx, by name', async () => {
    const stage = await HubStage.start();
    const hint = /go on with (.+)$/m;
    const prompt = ['run', '--agent', 'signalbox-agent', 'say hello'];
    const advice = async (file: string, cwd: string, more: Record<string, string> = {}): Promise<string> => {
      const env = { ...stage.env, ...more };
      const { stderr } = await run(process.execPath, [file, ...prompt], { env, cwd });
      return hint.exec(stderr)?.[1]?.replace(/[0-9a-f]{8}$/, 'ID') ?? stderr;
    };
    expect(await advice(SIGNALBOX, stage.project)).toBe(`${SIGNALBOX} attach ID`);
    const clone = join(SIGNALBOX, '../..');
    expect(await advice(SIGNALBOX, clone)).toBe(`${relative(clone, SIGNALBOX)} attach ID`);
    const programs = join(stage.home, 'node_modules/.bin');
    mkdirSync(programs, { recursive: true });
    const linked = join(programs, 'signalbox');
    symlinkSync(SIGNALBOX, linked);
    const PATH = `${programs}:${stage.env.PATH}`;
    expect(await advice(linked, stage.project, { PATH, npm_execpath: '/usr/bin/npm' })).toBe(
      'npx signalbox attach ID',
    );
    expect(await advice(linked, stage.project, { PATH })).toBe('signalbox attach ID');
  });

  it('[CL493] says who ended an agent, in run and in attach, whenever one comes', async () => {
    const stage = await HubStage.start();
    const { username } = userInfo();
    const session = await stage.launch();
    const pane = await stage.open('attach', session);
    await pane.see('What shall we do?');
    const running = stage.run('run', '--session', session, 'slow 20000');
    await until(async () => (await stage.api.session(session)).state === 'active');
    await stage.api.stop(session);
    const { code, stderr } = await running;
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${username} ended the agent; ${SIGNALBOX} sessions restart ${session.slice(0, 8)}`,
    );
    await pane.see(`${username} ended the agent; a prompt starts it again.`);
    const late = await stage.open('attach', session);
    await late.see(`${username} ended the agent; a prompt starts it again`);
  });
});
