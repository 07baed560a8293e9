import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permission/decide.ts';
import { repositoryProblem } from '../../src/permission/git-settings.ts';
import { isProtected } from '../../src/permission/protected-paths.ts';
import { readFilter } from '../../src/permission/read-filter.ts';
import { openBench } from '../tools/tool-bench.ts';
import { lineScene } from './line-scene.ts';

const { scene, behaviorOf, decideLine } = lineScene('names-of-files');
const deny = ['Read(.env)', 'Read(./secrets/**)'];

describe('options that are read in another way', () => {
  it.each([
    'xxd -ps .env',
    'xxd -as .env',
    'xxd -bc @OUT/secret.txt',
    'xxd -al link-secret',
    'grep -C 3 .env',
  ])('[PM3833] do not hide a file behind them: %s', (line) => {
    expect(behaviorOf(line, { deny })).not.toBe('allow');
  });

  it.each(['ps axE', 'ps auxE'])('[PM3833] do not show environments: %s', (line) => {
    expect(behaviorOf(line)).toBe('ask');
  });

  it.each([
    'xxd -l 16 README.md',
    'xxd -c8 notes.txt',
    'xxd -p README.md',
    'grep -C 2 add src/util.ts',
    'ps aux',
  ])('[PM3833] run unasked in their usual form: %s', (line) => {
    expect(behaviorOf(line, { deny })).toBe('allow');
  });
});

describe('what git names', () => {
  it('[PM3835] may be a file elsewhere, of which it shows lines', async () => {
    for (const line of ['git -C evil/attributes diff', 'cd evil/excludes && git status'])
      expect(decideLine(line)).toMatchObject({ behavior: 'ask', reason: expect.stringContaining('sfile') });
    const { file, path } = await openBench();
    await file('here/.git/HEAD', 'ref: refs/heads/main');
    await file(
      'here/.git/config',
      '[core]\n\texcludesFile = .ignored\n\tattributesFile = config/attributes\n',
    );
    expect(repositoryProblem(path('here'))).toBeUndefined();
    await file('here/.git/config', '[core]\n\texcludesFile = ../.ignored\n');
    expect(repositoryProblem(path('here'))).toContain('excludesfile');
  });

  it.each([
    'cd src && git show HEAD~2:secrets/old.pem',
    'git -C docs cat-file -p HEAD~2:secrets/old.pem',
    'cd docs && git grep TOKEN HEAD~2 -- :/secrets',
    "cd docs && git diff HEAD~2 HEAD -- ':(top)secrets/old.pem'",
  ])('[PM3836] begins at the top of the repository: %s', (line) => {
    expect(behaviorOf(line, { deny })).not.toBe('allow');
  });

  it('[PM3836] is outside where the session has a folder of the repository', () => {
    const folder = join(scene.folder, 'src');
    expect(behaviorOf('git show HEAD:README.md', { folder })).toBe('ask');
    expect(behaviorOf('git grep add :/', { folder })).toBe('ask');
    expect(behaviorOf('git show HEAD:src/main.ts', { folder })).toBe('allow');
    expect(behaviorOf('git show HEAD:./main.ts', { folder })).toBe('allow');
  });
});

describe('another name of a file that a rule keeps from being read', () => {
  it.each([
    'cat evil/twins/settings',
    'head -1 evil/twins/*',
    'cat < evil/twins/key',
    'cd evil/twins && sort key',
    'grep -r TOKEN evil/twins',
    'find evil/twins -type f | xargs cat',
  ])('[PM3838] is known by what is on the disk: %s', (line) => {
    expect(behaviorOf(line, { deny })).not.toBe('allow');
    expect(behaviorOf(line)).toBe('allow');
  });

  it('[PM3838] is refused to tools that read and edit, and left out of searches', async () => {
    const rules = { deny: deny.map((text) => parseRule(text)), ask: [], allow: [] };
    const path = join(scene.folder, 'evil/twins/key');
    const context = { cwd: scene.folder, home: scene.home };
    const { behavior } = decide(
      {
        toolName: 'Read',
        input: { file_path: path },
        paths: [path],
        isReadOnly: true,
        isEdit: false,
        needsPerson: false,
      },
      { mode: 'default', rules, ...context, folders: [scene.folder] },
    );
    expect(behavior).toBe('deny');
    const shows = readFilter('Grep', rules, context);
    expect([path, join(scene.folder, 'README.md')].map((name) => shows?.(name))).toEqual([false, true]);
  });

  it('[PM3838] is no matter where the other file is not covered by the rule', () => {
    mkdirSync(join(scene.folder, 'pair'));
    writeFileSync(join(scene.folder, 'pair/a.txt'), 'a');
    linkSync(join(scene.folder, 'pair/a.txt'), join(scene.folder, 'pair/b.md'));
    expect(behaviorOf('cat pair/a.txt', { deny: ['Read(./pair/*.md)'] })).toBe('deny');
    expect(behaviorOf('cat pair/a.txt', { deny: ['Read(./pair/*.log)', 'Read(./secrets/**)'] })).toBe(
      'allow',
    );
  });
});

describe('a name in other letters', () => {
  it('[PM3839] is the same name to a rule that denies, as it is to some file systems', () => {
    for (const name of [
      '\u017Fecrets/key.pem',
      'SECRET\u017F/key.pem',
      'sec\u200Crets/key.pem',
      's\u00ADecrets/k',
    ])
      expect(behaviorOf(`cat ${name}`, { deny }), name).toBe('deny');
    expect(isProtected('/work/.hu\u017Fky/pre-commit')).toBe(true);
    expect(isProtected('/work/.g\u200Cit/config')).toBe(true);
  });
});
