import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { parseRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permission/decide.ts';
import { trackedFiles } from '../../src/permission/git-index.ts';
import { openBench, type ToolBench } from '../tools/tool-bench.ts';

const FILES = ['.env', 'a.txt', 'deep/er/b.txt', 'deep/er/c.txt', 'ä/ö.txt', `long/${'x'.repeat(200)}`];

/** A repository with some files added, and one that is not. */
async function repository(): Promise<ToolBench & { git: (...args: string[]) => string }> {
  const bench = await openBench();
  const { folder, session } = bench;
  const env = { PATH: process.env.PATH, HOME: session.home };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (...args: string[]): string =>
    execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' });
  git('init', '-q', '.');
  for (const name of FILES) await bench.file(name, `text of ${name}\n`);
  git('add', '-A');
  git('commit', '-qm', 'one');
  await bench.file('untracked', '');
  return { ...bench, git };
}

function decideLine(command: string, { folder, session }: ToolBench, deny: string, allow: string[] = []) {
  const rules = { deny: [parseRule(deny)], ask: [], allow: allow.map((text) => parseRule(text)) };
  const call = { toolName: 'Bash', input: { command }, paths: [] };
  const facts = { mode: 'default', rules, cwd: folder, home: session.home, folders: [folder] } as const;
  return decide({ ...call, isReadOnly: false, isEdit: false, needsPerson: false }, facts);
}

describe('what git tracks', () => {
  it.each(['2', '3', '4'])('[PM603] is read from its index, in version %s', async (version) => {
    const { folder, path, git } = await repository();
    // Version 3 is what an index has whose entries need more flags.
    if (version === '3') {
      await writeFile(path('later'), '');
      git('add', '-N', 'later');
    } else git('update-index', '--index-version', version);
    const expected = [...FILES, ...(version === '3' ? ['later'] : [])].map((name) => path(name));
    expect(new Set(trackedFiles(folder))).toEqual(new Set(expected));
    expect(trackedFiles(path('deep/er'))).toHaveLength(expected.length);
  });

  it('[PM603] is nothing where there is no repository or nothing was added, and unknown where the index is another', async () => {
    const bench = await openBench();
    expect(trackedFiles(bench.folder)).toBeUndefined();
    await bench.file('.git/config', '');
    expect(trackedFiles(bench.folder)).toEqual([]);
    for (const text of [
      '',
      'DIRC',
      'nonsense of some length',
      `DIRC\0\0\0\x02\0\0\0\x05${'x'.repeat(300)}`,
    ]) {
      await bench.file('.git/index', text);
      expect(trackedFiles(bench.folder), text).toContain('cannot be read');
    }
    const split = await repository();
    split.git('update-index', '--split-index');
    expect(trackedFiles(split.folder)).toContain('cannot be read');
  });

  it('[PM604] is asked about where git would show a file that a rule keeps from being read', async () => {
    const bench = await repository();
    await bench.file('.env', 'changed');
    for (const line of [
      'git diff',
      'git diff HEAD',
      'git diff --cached | cat',
      'cd deep && git diff',
      'git log -p',
      'git log -1 -p --stat',
      'git log --patch',
      'git log -U1',
      'git show',
      'git show HEAD',
      'git -C . show',
      'git stash show -p',
      'git diff-index -p HEAD',
      'git cat-file -p HEAD',
    ]) {
      for (const allow of [[], ['Bash(git:*)', 'Bash(cat:*)', 'Bash(cd:*)']]) {
        const decision = decideLine(line, bench, 'Read(.env)', allow);
        expect([line, decision.behavior], decision.reason).toEqual([line, 'ask']);
        expect(decision.reason).toContain('.env');
      }
      expect(decideLine(line, bench, 'Read(untracked)').behavior, line).toBe('allow');
    }
  });

  it('[PM604] is not where git tells names and numbers alone', async () => {
    const bench = await repository();
    for (const line of [
      'git status',
      'git diff --stat',
      'git diff --name-only',
      'git log --oneline',
      'git log --stat -5',
      'git show --no-patch',
      'git show -s --format=%B',
      'git branch -a',
    ]) {
      expect(decideLine(line, bench, 'Read(.env)').behavior, line).toBe('allow');
    }
  });
});
