import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { repositoryProblem } from '../../src/permission/git-settings.ts';
import { isProtected } from '../../src/permission/protected-paths.ts';
import { openBench } from '../tools/tool-bench.ts';
import { lineScene } from './line-scene.ts';

const { scene, decideLine, behaviorOf } = lineScene('words-and-names');

describe('the words of a line', () => {
  it.each([
    ['the second file of a pattern is written to', 'uniq src/*.ts'],
    ['those of a brace as well', 'uniq src/*.{ts,js}'],
    ['the second file of a pattern is no value', 'grep -v -e @OUT/*'],
    ['nor here', 'paste -d ../elsewhere/*'],
    ['a pattern may fit `-v` and a subscript', 'cd evil/test && test *'],
    ['a bracket with a slash is no pattern', 'cat evil/a[b/../../../elsewhere/[s]*'],
  ])('[PM3200] may be several where a pattern has no quotes: %s', (_what, line) => {
    expect(behaviorOf(line)).toBe('ask');
  });

  it.each(['ls src/*.ts', 'wc -l src/*.{ts,js}', 'uniq notes.txt', 'for f in src/*; do uniq "$f"; done'])(
    '[PM3200] are asked about only where that matters: %s',
    (line) => {
      expect(behaviorOf(line)).toBe('allow');
    },
  );

  it.each([
    ['an option of printf', 'printf $(cat evil/printf)'],
    ['an option of printf, in quotes', 'read -r x < evil/subscript; printf "$x"'],
    ['a format that sets a variable', "printf 'x%n' PATH; ls"],
    ['options of git', 'git config --get $(cat evil/get)'],
    ['the words after a value', 'grep -v -e $(cat evil/get)'],
    ['a pattern', "for p in '@OUT/*'; do echo $p; done"],
    ['a pattern out of a file', 'echo $(cat evil/pattern)'],
    ['a folder', 'read -r d < evil/arguments; echo "$d"/../*'],
  ])('[PM3201] may be anything where a program or a file gives them: %s', (_what, line) => {
    expect(behaviorOf(line)).toBe('ask');
  });

  it('[PM3201] may fit a file whose name the answer does not tell', () => {
    expect(decideLine('ls @OUT/*').reason).toBe(
      `a file in ${scene.outside} is outside of the working directories`,
    );
  });

  it('[PM3201] are not covered by a rule for the program that prints them', () => {
    const allow = ['Bash(echo:*)', 'Bash(cat:*)'];
    expect(behaviorOf('echo $(cat evil/pattern)', { allow })).toBe('ask');
    expect(behaviorOf('echo "$(cat evil/pattern)"', { allow })).toBe('allow');
  });

  it.each(['echo $(ls | wc -l) files', 'echo $USER', 'x=src; ls $x', 'printf "%s\\n" "$(cat README.md)"'])(
    '[PM3201] are known enough in %s',
    (line) => {
      expect(behaviorOf(line)).toBe('allow');
    },
  );

  it.each([
    'find src | head evil/arguments | xargs cat',
    'find src | xargs cat < evil/arguments',
    'find src | xargs cat <<< @OUT/secret.txt',
    "grep -l x 'a @OUT/secret.txt b' 2>&1 | xargs cat",
    "rg -l x 'a @OUT/secret.txt b' |& xargs cat",
    "find src -name '*.ts' | xargs uniq",
    'find src -maxdepth 0 | xargs -I{} cat {}/../../elsewhere/secret.txt',
    'find evil -name arguments -exec cat {} + | xargs cat',
    "find src -name '*.ts' -exec uniq {} +",
    'find src -maxdepth 0 -exec @RUN {} +',
  ])('[PM3202] come from another program only where it lists files and nothing else: %s', (line) => {
    expect(behaviorOf(line)).toBe('ask');
  });

  it('[PM3202] are compared with the rules for reading by the names that are found', () => {
    const deny = ['Read(./secrets/**)'];
    expect(behaviorOf("find . -name '*.pem' -exec cat {} +", { deny })).toBe('ask');
    expect(behaviorOf("find . -name '*.ts' -exec cat {} +", { deny })).toBe('allow');
    expect(behaviorOf("find secrets -print -name '*.ts' | xargs cat", { deny })).not.toBe('allow');
    expect(behaviorOf("find src -name '*.ts' | grep -v test | xargs wc -l", { deny })).toBe('allow');
  });

  it('[PM3203] do not end the options for a rule where `--` is a value', () => {
    const allow = ['Bash(rg:*)'];
    expect(behaviorOf('rg -e -- --pre @RUN export src', { allow })).toBe('ask');
    expect(behaviorOf('rg -e x -- --pre', { allow })).toBe('allow');
  });

  it('[PM3204] are followed through variables of the line, and through chains of commands', () => {
    for (const line of [
      'n=$(ls | wc -l); echo "$n files"',
      'for f in src/*.ts; do n=$(basename "$f" .ts); echo "$n"; done',
      'for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done',
      'cd docs && cat guide.md && cd ..',
    ])
      expect(behaviorOf(line), line).toBe('allow');
    for (const line of [
      'x=.env; cat $x',
      'x=README.md; x=.env; cat $x',
      'for i in 1 2; do cat "$x"; x=.env; done',
      'path=evil/bin; ls',
      'echo "$(cd docs && ls)"; cat ../elsewhere/secret.txt',
      'cd docs && cd .. && cd .. && cat elsewhere/secret.txt',
    ])
      expect(behaviorOf(line, { deny: ['Read(.env)'] }), line).not.toBe('allow');
  });
});

describe('what a line finds', () => {
  it.each([
    ['a hook without settings', 'evil/no-config'],
    ['a path of hooks in quotes', 'evil/quoted-hooks'],
    ['a HEAD that is a link to nothing', 'evil/linked-head/inner'],
  ])('[PM3205] may be a repository whose form hides what git runs: %s', (_what, folder) => {
    expect(behaviorOf(`git -C ${folder} status`)).toBe('ask');
  });

  it('[PM3205] also where objects are elsewhere, a path has two lines, or LFS has an extension', async () => {
    const { file, path } = await openBench();
    await file('bare/HEAD', 'ref: refs/heads/main');
    await file('bare/commondir', 'store\n');
    await file('bare/store/config', '[diff]\n\texternal = ./evil\n');
    expect(repositoryProblem(path('bare'))).toContain('diff.external');
    await mkdir(path('lines'));
    await file('lines/real/config', '');
    await file('lines/.git', 'gitdir: real\ngit\n');
    expect(repositoryProblem(path('lines'))).toContain('cannot be read');
    await file('lfs/.git/config', '[lfs "extension.x"]\n\tclean = ./evil\n');
    expect(repositoryProblem(path('lfs'))).toContain('lfs.*.clean');
  });

  it('[PM3205] is no repository for a rule where the line goes there by itself and git may run a program', () => {
    const allow = ['Bash(cd:*)', 'Bash(git diff:*)', 'Bash(git status:*)'];
    expect(behaviorOf('cd evil/repo && git diff', { allow })).toBe('ask');
    expect(behaviorOf('cd src && git diff', { allow })).toBe('allow');
  });

  it('[PM3206] is not followed through links that lead elsewhere for each process', async () => {
    const { folder, file, path } = await openBench();
    await file('inner/notes.txt', 'x');
    await symlink('/proc/self/cwd', path('here'));
    await symlink('here', path('there'));
    const facts = { folder: realpathSync(folder), deny: ['Read(./inner/notes.txt)'] };
    const before = process.cwd();
    process.chdir(folder);
    try {
      for (const line of ['cat /proc/self/cwd/notes.txt', 'cat ../here/notes.txt', 'cat ../there/notes.txt'])
        expect(behaviorOf(`cd inner && ${line}`, facts), line).not.toBe('allow');
    } finally {
      process.chdir(before);
    }
    expect(behaviorOf('cd inner && cat ./notes.txt', facts)).toBe('deny');
  });

  it('[PM3207] holds hidden files that a file for ripgrep shows again', async () => {
    const { folder, file, path } = await openBench();
    await file('.env', 'TOKEN=1\n');
    await file('sub/a.txt', 'a\n');
    const facts = { folder: realpathSync(folder), deny: ['Read(.env)'] };
    expect(behaviorOf('rg TOKEN', facts)).toBe('allow');
    for (const [name, text] of [
      ['.ignore', '!.env\n'],
      ['.gitignore', '*.log\n!/.e*\n'],
      ['.rgignore', '!**/.[a-z]nv\r\n'],
    ] as const) {
      await file(name, text);
      execFileSync('git', ['init', '-q'], { cwd: folder });
      expect(execFileSync('rg', ['TOKEN', '.'], { cwd: folder, encoding: 'utf8' }), name).toContain('.env');
      expect(behaviorOf('rg TOKEN', facts), name).toBe('ask');
      await rm(path(name));
    }
    await file('.ignore', '!.env.example\n!*.md\n');
    expect(behaviorOf('rg TOKEN', facts)).toBe('allow');
  });

  it('[PM3208] is protected where a file `.git` would name the folder with the settings of git', () => {
    expect(isProtected('/work/sub/.git')).toBe(true);
    expect(isProtected('/work/sub/.gitignore')).toBe(false);
  });
});
