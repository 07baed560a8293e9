import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineScene } from './line-scene.ts';

const { scene, decideLine } = lineScene('other-words');
const deny = ['Read(.env)'];

describe('a line that says the same in other words', () => {
  it.each([
    ['a folder that is entered behind `command`', 'command cd evil/repo && git status'],
    ['a folder that `cd` finds by the text of its path', 'cd evil/link/../repo && git status'],
    ['-d recurse', 'grep -d recurse SECRET .'],
    ['a glob of ripgrep that fits hidden files', "rg -g '*env' SECRET"],
    ['a glob without regard to case', 'rg --iglob .ENV SECRET'],
    ['a file of arguments', 'strings @evil/arguments'],
    ['a label in the place of a name', 'grep -l --label=@OUT/secret.txt . < README.md | xargs cat'],
    ['a name that is cut on its way', 'find evil/deep -name secret.txt | tail -c @LENGTH | xargs cat'],
    ['a variable with a space in its name', "jq -n '$ ENV'"],
    ['a pattern that older shells take for `..`', 'cat ..*/elsewhere/secret.txt'],
    ['a signature that git has checked', "git for-each-ref --format='%(signature)'"],
    ['the other file of a folder that is compared', 'diff evil/.env .'],
  ])('[PM2600] is asked about, or denied: %s', (_what, line) => {
    expect(decideLine(line, { deny }).behavior).not.toBe('allow');
  });

  it('[PM2600] is not covered by a rule for its program where it reads elsewhere', () => {
    const allow = ['Bash(git diff:*)', 'Bash(strings:*)', 'Bash(grep:*)'];
    for (const line of [
      'git diff @OUT/secret.txt README.md',
      'strings @evil/arguments',
      'grep -d recurse x @OUT',
    ])
      expect(decideLine(line, { allow }).behavior, line).toBe('ask');
  });

  it.each([
    "rg -g '*.ts' export",
    "rg -g '!*.md' export src",
    'command cat README.md',
    'cd src/../docs && ls',
    "find src -name '*.ts' | sort | head -5 | xargs wc -l",
    'strings README.md',
    'diff src/main.ts src/util.ts',
    'jq \'select(.name | test("a$"))\' data.json',
    'git log --grep token',
    'ls .gitignore .git*',
    'echo {1..20} {a..c}',
  ])('[PM2601] runs unasked all the same where nothing is kept from being read: %s', (line) => {
    expect(decideLine(line, { deny })).toMatchObject({ behavior: 'allow' });
  });
});

describe('words that braces make', () => {
  it.each([
    'echo {1..100000000}',
    'echo {1..9999}{1..9999}',
    `echo ${'{a,b}'.repeat(40)}`,
    'ls {a..z}{a..z}{a..z}{a..z}',
  ])('[PM2602] are asked about when they are more than the memory may hold: %s', (line) => {
    expect(decideLine(line, { deny }).behavior).toBe('ask');
    expect(decideLine(line, { deny, allow: ['Bash(echo:*)', 'Bash(ls:*)'] }).behavior).toBe('ask');
  });
});

describe('the submodules into which git looks', () => {
  it('[PM2603] may run nothing by their settings either', () => {
    const line = 'cd evil/around && git status';
    expect(decideLine(line, { deny })).toMatchObject({
      behavior: 'ask',
      reason: expect.stringContaining('fsmonitor'),
    });
    const settings = join(scene.folder, 'evil/around/within/.git/config');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace(/\[core\]\n\tfsmonitor.*\n/, ''));
    expect(decideLine(line, { deny })).toMatchObject({ behavior: 'allow' });
  });
});
