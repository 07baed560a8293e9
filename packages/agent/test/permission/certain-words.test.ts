import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentInProject } from '../agent-in-project.ts';
import { lineScene } from './line-scene.ts';

const { root, scene, behaviorOf } = lineScene('certain-words');

describe('a variable of a line', () => {
  it.each([
    '(x=.); cat "$x@OUT/secret.txt"',
    'x=. | true; cat "$x@OUT/secret.txt"',
    'false && x=.; cat "$x@OUT/secret.txt"',
    'false && x=. || cat "$x@OUT/secret.txt"',
    'true || x=. && cat "$x@OUT/secret.txt"',
    'if false; then x=.; fi; cat "$x@OUT/secret.txt"',
    'while false; do x=.; done; cat "$x@OUT/secret.txt"',
    'case a in b) x=.;; esac; cat "$x@OUT/secret.txt"',
    'for x in; do ls; done; cat "$x@OUT/secret.txt"',
    'echo "$(x=.)"; cat "$x@OUT/secret.txt"',
    'cat <(x=.); cat "$x@OUT/secret.txt"',
    'token=$token; echo "$token"',
    'for token in $token; do echo "$token"; done',
    'x=$PWD && cd src && cat "$x/../elsewhere/secret.txt"',
  ])('[PM3720] tells nothing where it may not be set, or set before the folder changed: %s', (line) => {
    expect(behaviorOf(line)).toBe('ask');
  });

  it.each([
    'x=src; ls $x',
    '{ x=src; }; ls $x',
    'x=src && ls $x',
    'true && x=src && ls "$x"',
    'if x=src; then ls $x; fi',
    'if true; then x=src; ls $x; fi',
    'for f in src/*.ts; do n=$(basename "$f"); echo "$n"; done',
    '(x=src; ls $x); ls',
  ])('[PM3720] is known where it is certain: %s', (line) => {
    expect(behaviorOf(line)).toBe('allow');
  });

  it.each([
    'echo ${DISPLAY:-../elsewhere/*}',
    'x=a; echo ${x:+../elsewhere/*}',
    'x=a; echo ${x/a/..\\/elsewhere\\/*}',
    "y='../elsewhere/*'; echo ${DISPLAY:-$y}",
    'echo $(( $(cat evil/subscript) ))',
    'echo $[ $(cat evil/subscript) ]',
    '(( $(cat evil/subscript) ))',
    'echo $(git -C evil/said rev-list --format=%s HEAD)',
    'read -r x < evil/spaced; echo $(date -d "$x" 2>&1)',
    'x=\'a ../elsewhere/* b\'; echo $(git rev-parse "$x")',
  ])(
    '[PM3721] is not all that an expansion may become: what else it names, prints or computes counts: %s',
    (line) => {
      expect(behaviorOf(line)).toBe('ask');
    },
  );

  it.each([
    'echo ${HOME:-none}',
    'f=a.ts; echo ${f%.ts} ${f/a/b}',
    'echo $(( $(wc -l < README.md) + 1 ))',
    'echo $(( $(date +%s) / 60 ))',
    'echo $(git rev-parse --short HEAD) $(git describe --always)',
  ])('[PM3721] runs unasked where that is harmless: %s', (line) => {
    expect(behaviorOf(line)).toBe('allow');
  });

  it('[PM3722] with the name of a folder in it may be cut into words, patterns among them', () => {
    const odd = join(root, `project/x ${scene.outside}/* y`);
    mkdirSync(odd, { recursive: true });
    for (const line of ['echo $PWD', 'ls $PWD', 'echo ${PWD%/*}', 'cat $PWD/a', 'echo $(pwd)']) {
      expect(behaviorOf(line, { folder: odd }), line).toBe('ask');
      const inside = `cd '${odd.slice(scene.folder.length + 1)}' && ${line}`;
      expect(behaviorOf(inside), inside).toBe('ask');
      expect(behaviorOf(inside, { allow: ['Bash(cd:*)', 'Bash(ls:*)', 'Bash(cat:*)'] }), inside).toBe('ask');
    }
    expect(behaviorOf('echo "$PWD"', { folder: odd })).toBe('allow');
    expect(behaviorOf('echo $PWD; ls $PWD/src')).toBe('allow');
    rmSync(join(scene.folder, `x ${scene.outside}`.split('/')[0] ?? ''), { recursive: true });
  });

  it('[PM3722] and variables of the person never make bash take a line for another one', async () => {
    const agent = await agentInProject({
      files: { 'repo/src/a': '', 'elsewhere/src/b': '' },
      env: { CDPATH: '..:../elsewhere', BASHOPTS: 'globstar', SHELLOPTS: 'noglob' },
    });
    await agent.turn('run cd src && ls');
    const { tool } = await agent.turn('run pwd');
    expect(String(tool?.content)).toContain('/repo/src');
  });
});

describe('the arguments of a program', () => {
  it.each([
    ['git takes the next word for a file', 'git diff -U @OUT/secret.txt README.md'],
    ['also behind the long option', 'git diff --unified @OUT/secret.txt README.md'],
    ['git makes a branch', 'git branch --abbrev newbranch'],
    ['more letters are options', 'tree -Lo 2 README.md'],
    ['BSD takes the word for a file', 'ls -w @OUT'],
    ['BSD has no options behind the files', 'head README.md -n @OUT/secret.txt'],
    ['the file with more arguments is a value', 'strings -s @evil/two-arguments'],
    ['a statement of awk writes', `awk 'BEGIN { for (print "x" > "@HIT"; 0; ) ; }'`],
    ['file sets the time of what it looks at', 'file -p README.md'],
  ])('[PM3723] are read as the program reads them: %s', (_what, line) => {
    expect(behaviorOf(line)).toBe('ask');
  });

  it.each([
    'git diff -U5',
    'git diff --unified=1 HEAD~1',
    'git branch -v --abbrev=7',
    'tree -L 2 src',
    'ls -w 80 src',
    'head README.md -n 3',
    "awk '{ for (i = 1; i <= NF; i++) if (length($i) > 2) print $i }' notes.txt",
  ])('[PM3723] run unasked in their usual form: %s', (line) => {
    expect(behaviorOf(line)).toBe('allow');
  });

  it('[PM3723] that are not understood are files all the same, whatever rule there is for the program', () => {
    for (const line of ['git diff @OUT/secret.txt README.md -U5 -S', 'head @OUT/secret.txt -n'])
      expect(behaviorOf(line, { allow: ['Bash(git diff:*)', 'Bash(head:*)'] }), line).toBe('ask');
  });

  it.each([
    'grep -h -e -l evil/list | xargs cat',
    'grep -- -l evil/list | xargs cat',
    'rg -e --files evil/list | xargs cat',
    'rg -l --json elsewhere evil/list | xargs cat',
    'cd src && git ls-files -o :/ | xargs cat',
    'cd src && git ls-files -o ../secrets | xargs cat',
    'git ls-files -s src | xargs cat',
  ])(
    '[PM3724] that xargs adds are names of files only where another program prints nothing else: %s',
    (line) => {
      expect(behaviorOf(line, { deny: ['Read(secrets/**)'] })).not.toBe('allow');
    },
  );

  it.each([
    'grep -R SECRET evil/chain',
    'ls -RL evil/chain',
    'rg -L SECRET evil/chain',
    "find -L evil/chain -name '*.txt' | xargs cat",
    'find evil/chain | xargs ls -RL',
    'diff -r evil/chain docs',
  ])('[PM3725] may be links to folders with further links: %s', (line) => {
    expect(behaviorOf(line)).toBe('ask');
    expect(behaviorOf(line, { allow: ['Bash(grep:*)', 'Bash(ls:*)', 'Bash(rg:*)'] })).toBe('ask');
  });

  it('[PM3725] that follow links within the folder run unasked', () => {
    const round = join(scene.folder, 'round');
    mkdirSync(join(round, 'inner'), { recursive: true });
    symlinkSync('..', join(round, 'inner/up'));
    for (const line of ['grep -R add round', 'ls -RL round', 'find -L round -type f'])
      expect(behaviorOf(line), line).toBe('allow');
    rmSync(round, { recursive: true });
  });

  it('[PM3725] with patterns may show hidden files to ripgrep', () => {
    expect(behaviorOf('rg --ignore-file evil/show TOKEN', { deny: ['Read(.env)'] })).toBe('ask');
  });
});
