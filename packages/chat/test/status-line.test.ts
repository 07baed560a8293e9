import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../test/programs.ts';
import { ansiLine } from '../src/text/ansi-line.ts';
import { encodeLine } from '../src/text/line.ts';
import { chatWith, chatWithAgent, temporaryFolder } from './drive-chat.ts';

const launcher = builtProgram('packages/chat/test/chat-launcher.ts');
const smallAgent = builtProgram('packages/chat/test/small-agent.ts');

/** A folder whose person has this script as their status line; each run leaves what it was told in `runs`. */
async function folderWithStatusLine(script: string): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, 'status.sh');
  const number = 'n=$(ls runs | wc -l); cat > runs/$n.tmp; mv runs/$n.tmp runs/$n';
  await writeFile(path, `#!/bin/bash\ncd "$HOME"; mkdir -p runs; ${number}\n${script}\n`);
  await chmod(path, 0o755);
  await mkdir(join(folder, '.claude'));
  const statusLine = { type: 'command', command: path, padding: 1 };
  await writeFile(join(folder, '.claude/settings.json'), JSON.stringify({ statusLine }));
  return folder;
}

describe('a status line of the person', () => {
  it('[CH866] stands below the box in its colours, from the start on', async () => {
    const folder = await folderWithStatusLine(
      String.raw`printf 'in \e[38;5;208morange\e[0m\e[2J\e[3;3H of %s\n\nsecond\n' $COLUMNS`,
    );
    const { pane } = await chatWithAgent({ launcher, folder, columns: 90 });
    const screen = await pane.see('second');
    expect(screen).toMatch(/❯ What shall we do\?\n {3}in orange of 90\n {3}second\n/);
    expect(await pane.colors()).toMatch(/␛\[38;5;208m\S*orange/);
    await pane.type('typed above it');
    expect(await pane.see('❯ typed above it')).toMatch(/❯ typed above it\n {3}in orange/);
  });

  it('[CH867] is asked for again after each reply and when the mode changes, and makes room for completions', async () => {
    const folder = await folderWithStatusLine('echo "run $n"');
    const { pane } = await chatWithAgent({ launcher, folder });
    await pane.see('run 0');
    await pane.say('say hello');
    await pane.see((screen) => screen.includes('● hello') && screen.includes('run 1'));
    const before = (await readdir(join(folder, 'runs'))).length;
    await pane.press('BTab');
    await pane.see((screen) => screen.includes('accepts edits') && screen.includes(`run ${before}`));
    await pane.type('/c');
    await pane.see((screen) => screen.includes('/clear') && !screen.includes('run '));
    await pane.press('C-c');
    await pane.see((screen) => !screen.includes('/clear') && screen.includes('run '));
  });

  it('[CH867] goes away when its command fails', async () => {
    const folder = await folderWithStatusLine(
      '[ $n = 0 ] && echo all is well || { echo dead battery >&2; exit 4; }',
    );
    const { pane } = await chatWithAgent({ launcher, folder });
    await pane.see('all is well');
    await pane.press('BTab');
    await pane.see((screen) => screen.includes('accepts edits') && !screen.includes('all is well'));
    await pane.say('say hello');
    await pane.see('● hello');
  });

  it('[CH867] of an agent that knows of none, nothing is shown, and the chat works', async () => {
    const { pane } = await chatWith([process.execPath, smallAgent], { launcher });
    await pane.say('hello');
    const screen = await pane.see('You said: hello');
    expect(screen).not.toContain('run_status_line');
  });
});

describe('a line with escape sequences', () => {
  const shown = (text: string, hasColor = true): string =>
    encodeLine(ansiLine(text), hasColor).replaceAll('\x1b', '␛');

  it.each([
    ['\x1b[31mred\x1b[39m plain', '␛[31mred␛[0m plain'],
    ['\x1b[1;38;2;1;2;3mtrue\x1b[22m colour', '␛[1;38;2;1;2;3mtrue␛[0m␛[38;2;1;2;3m colour␛[0m'],
    ['\x1b[38:5:208ma\x1b[m\x1b[38:2::9:8:7mb', '␛[38;5;208ma␛[0m␛[38;2;9;8;7mb␛[0m'],
    ['\x1b[44;97mon blue\x1b[49m bright', '␛[97;44mon blue␛[0m␛[97m bright␛[0m'],
    ['\x1b[4munder\x1b[24m \x1b[7minverse', '␛[4munder␛[0m ␛[7minverse␛[0m'],
  ])('[CH868] keeps its colours: %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['a\x1b[2Jb\x1b[3;4Hc', 'abc'],
    ['\x1b]0;title\x07x\x1b]8;;http://a.test\x1b\\link\x1b]8;;\x1b\\', 'xlink'],
    ['a\x07\x08\x1b', 'a'],
    ['\x1b[38;5;999mno colour\x1b[38mx\x1b[58;5;1my', 'no colourxy'],
    ['\u202eabc', 'abc'],
  ])('[CH868] removes every other sequence: %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('[CH868] has no colour where none is wanted', () => {
    expect(shown('\x1b[1;31;44mbold', false)).toBe('␛[1mbold␛[0m');
  });
});
