import { execFileSync } from 'node:child_process';
import { mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permission/decide.ts';
import { gitDetours } from '../../src/permission/git-detours.ts';
import { trackedFiles } from '../../src/permission/git-index.ts';
import { repositoryProblem } from '../../src/permission/git-settings.ts';
import { openBench, type ToolBench } from '../tools/tool-bench.ts';

interface Repositories extends ToolBench {
  readonly mine: string;
  readonly theirs: string;
  readonly git: (folder: string, ...args: string[]) => string;
}

/** A repository to work in, and one beside it that is nobody's business. */
async function repositories(...format: string[]): Promise<Repositories> {
  const bench = await openBench();
  const env = { PATH: process.env.PATH, HOME: bench.session.home };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const folder = await realpath(bench.folder);
  for (const name of ['mine', 'theirs']) {
    await bench.file(`${name}/a.txt`, `${name}\n`);
    git(join(folder, name), 'init', '-q', ...format);
    git(join(folder, name), 'add', '-A');
    git(join(folder, name), 'commit', '-qm', 'one');
  }
  return { ...bench, mine: join(folder, 'mine'), theirs: join(folder, 'theirs'), git };
}

function decideLine(command: string, folder: string, deny: readonly string[] = []): string {
  const call = { toolName: 'Bash', input: { command }, paths: [] };
  const rules = { allow: [], deny: deny.map((text) => parseRule(text)), ask: [] };
  return decide(
    { ...call, isReadOnly: false, isEdit: false, needsPerson: false },
    { mode: 'default', rules, cwd: folder, home: '/home/nobody', folders: [folder] },
  ).behavior;
}

describe('what git reads in other places', () => {
  it('[PM3726] is nothing in a repository of its own', async () => {
    const { mine } = await repositories();
    expect(gitDetours(mine)).toEqual([]);
    expect(decideLine('git log -p', mine)).toBe('allow');
  });

  it.each<[string, (where: Repositories) => Promise<void>]>([
    [
      'a file that names the folder of another repository',
      async ({ mine, theirs }) => {
        await rm(join(mine, '.git'), { recursive: true });
        await writeFile(join(mine, '.git'), `gitdir: ${theirs}/.git\n`);
      },
    ],
    [
      'a link to it',
      async ({ mine, theirs }) => {
        await rm(join(mine, '.git'), { recursive: true });
        await symlink(`${theirs}/.git`, join(mine, '.git'));
      },
    ],
    [
      'a file with the folder that repositories share',
      ({ mine, theirs }) => writeFile(join(mine, '.git/commondir'), `${theirs}/.git\n`),
    ],
    [
      'a list of stores of objects',
      ({ mine, theirs }) => writeFile(join(mine, '.git/objects/info/alternates'), `${theirs}/.git/objects\n`),
    ],
    [
      'a list of stores that have lists',
      async ({ mine, theirs }) => {
        await mkdir(join(mine, 'store/info'), { recursive: true });
        await writeFile(join(mine, '.git/objects/info/alternates'), '../../store\n');
        await writeFile(join(mine, 'store/info/alternates'), `${theirs}/.git/objects\n`);
      },
    ],
    [
      'a link to its objects',
      async ({ mine, theirs }) => {
        await rm(join(mine, '.git/objects'), { recursive: true });
        await symlink(`${theirs}/.git/objects`, join(mine, '.git/objects'));
      },
    ],
    [
      'a link to a file that git prints when it finds no sense in it',
      ({ mine, theirs }) => symlink(`${theirs}/a.txt`, join(mine, '.git/packed-refs')),
    ],
    [
      'a link to a file that the state of a rebase is told of',
      async ({ mine, theirs }) => {
        await mkdir(join(mine, '.git/rebase-merge'));
        await symlink(`${theirs}/a.txt`, join(mine, '.git/rebase-merge/done'));
      },
    ],
  ])('[PM3726] is asked about: %s', async (_what, make) => {
    const where = await repositories();
    await make(where);
    for (const line of ['git log -p', 'git status', 'git -C . show', 'ls && git diff'])
      expect(decideLine(line, where.mine), line).toBe('ask');
  });

  it('[PM3726] is nothing for working trees and submodules that their repository knows', async () => {
    const { mine, theirs, git } = await repositories();
    git(theirs, 'worktree', 'add', '-q', '../tree');
    expect(decideLine('git status', join(theirs, '../tree'))).toBe('allow');
    git(mine, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', theirs, 'sub');
    expect(decideLine('git -C sub log', mine)).toBe('allow');
    expect(decideLine('git log', join(mine, 'sub'))).toBe('allow');
    // What only says that it is one.
    const marker = await readFile(join(theirs, '../tree/.git'), 'utf8');
    await rename(join(mine, '.git'), join(mine, 'git'));
    await writeFile(join(mine, '.git'), marker);
    expect(decideLine('git log', mine)).toBe('ask');
  });

  it('[PM3727] is told from an index with longer names of objects', async () => {
    const { mine, theirs, git } = await repositories('--object-format=sha256');
    expect(trackedFiles(mine)).toEqual([join(mine, 'a.txt')]);
    expect(repositoryProblem(mine)).toBeUndefined();
    git(mine, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', theirs, 'sub');
    git(join(mine, 'sub'), 'config', 'core.fsmonitor', '/bin/false');
    expect(decideLine('git status', mine)).toBe('ask');
  });

  it.each([
    'git diff --check',
    'git log --check',
    'git status -v',
    'git status -sv',
    'git grep x HEAD',
    'git grep -e x HEAD',
    'git show --stat 0123abc',
  ])('[PM3728] is asked about where it shows a file that a rule keeps from being read: %s', async (line) => {
    const { mine } = await repositories();
    expect(decideLine(line, mine, ['Read(a.txt)'])).toBe('ask');
    expect(decideLine(line, mine, ['Read(b.txt)'])).toBe('allow');
  });

  it('[PM3728] is the files of two folders where there is no repository', async () => {
    const bench = await openBench();
    for (const name of ['one/.env', 'two/.env']) await bench.file(name, 'x');
    expect(decideLine('git diff one two', bench.folder, ['Read(.env)'])).toBe('ask');
    expect(decideLine('git diff one two', bench.folder)).toBe('allow');
  });

  it.each(['constructor', '__proto__', 'toString'])(
    '[PM3729] is asked about where the settings have a section called %s',
    async (name) => {
      const { mine } = await repositories();
      await writeFile(join(mine, '.git/config'), `[${name}]\n\tx = y\n`);
      expect(decideLine('git status', mine)).toBe('ask');
    },
  );
});
