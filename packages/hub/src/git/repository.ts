import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { RepositoryTask } from '@signalbox/protocol/hub';
import { Git, GitFailedError } from '@signalbox/transport/git';
import { NotARepositoryError } from './git-errors.ts';

/** A checkout of a large repository takes minutes. */
export const PATIENT = { seconds: 600 } as const;

/** What git leaves in its folder while something is under way that a person has to end. */
const TASK_MARKS: readonly [file: string, task: RepositoryTask][] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

const IS_BARE = 'is a bare repository. Name a folder that has its files.';

/** A folder in a repository. */
export interface FolderInRepository {
  git: Git;
  /** The top of the working tree that the folder is in. */
  top: string;
  /** Where the folder is below it. */
  below: string;
  /** The top of the repository's main working tree: what the repository is known by. */
  root: string;
  /** Git's own folder of this working tree. */
  gitFolder: string;
  /** Git's own folder of the repository. */
  commonFolder: string;
}

/** The repository that a folder is in. Raises `NOT_A_REPOSITORY` or `GIT_NOT_FOUND`. */
export async function repositoryOf(folder: string): Promise<FolderInRepository> {
  const git = await Git.open(folder);
  const said = await git
    .text([
      'rev-parse',
      '--is-bare-repository',
      '--absolute-git-dir',
      '--git-common-dir',
      '--is-inside-work-tree',
    ])
    .catch((error: unknown) => {
      if (error instanceof GitFailedError) throw new NotARepositoryError(folder, whyNone(error.words));
      throw error;
    });
  const [isBare, gitFolder = '', common = '', isInside] = said.split('\n');
  if (isBare === 'true') throw new NotARepositoryError(folder, IS_BARE);
  if (isInside !== 'true')
    throw new NotARepositoryError(folder, "is inside of git's own folder. Name the one that has the files.");
  const top = await git.text(['rev-parse', '--show-toplevel']);
  const [main = ''] = await worktreesOf(git);
  const below = relative(top, realpathSync(folder));
  const commonFolder = resolve(folder, common);
  return { git, top, below, root: main || top, gitFolder, commonFolder };
}

function whyNone(words: string): string {
  if (words.includes('cannot use bare repository')) return IS_BARE;
  return words.startsWith('fatal: not a git repository')
    ? 'is in no git repository. Make one there (git init), or name another folder.'
    : `cannot be used: ${words}`;
}

/** The working trees of a repository, its main one first. */
export async function worktreesOf(git: Git): Promise<string[]> {
  const listed = await git.text(['worktree', 'list', '--porcelain']);
  return Array.from(listed.matchAll(/^worktree (.+)$/gm), (match) => match[1] ?? '');
}

/** What somebody has begun in a working tree and not ended; undefined when that is nothing. */
export function taskIn(gitFolder: string): RepositoryTask | undefined {
  return TASK_MARKS.find(([file]) => existsSync(join(gitFolder, file)))?.[1];
}

/** The same in words. */
export function underWayIn(gitFolder: string): string | undefined {
  const task = taskIn(gitFolder);
  return task && `a ${task}`;
}

/** The branch that is checked out; null when none is. */
export async function branchIn(git: Git): Promise<string | null> {
  return (await git.line(['symbolic-ref', '--quiet', '--short', 'HEAD'])) ?? null;
}

/** The commit that a name stands for; undefined when it stands for none. */
export async function commitOf(git: Git, name: string): Promise<string | undefined> {
  return git.line(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
}

/** Branches that somebody may want to begin at, the ones with the newest commits first. */
export async function branchesOf(git: Git, most: number): Promise<string[]> {
  const order = ['--sort=-committerdate', `--count=${most}`, '--format=%(refname:short)%00%(symref)'];
  const listed = await git.text(['for-each-ref', ...order, 'refs/heads', 'refs/remotes']);
  // `origin/HEAD` is another name for one that is there anyway.
  return listed
    .split('\n')
    .map((line) => line.split('\0'))
    .flatMap(([name = '', aliasOf]) => (name === '' || aliasOf ? [] : [name]));
}
