import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What a transcript says where there is no branch: outside of a repository, or on a bare commit. */
const NO_BRANCH = 'HEAD';

/** The branch that is checked out in a folder, read without running git. */
export async function gitBranch(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const head = (await textOf(join(at, '.git', 'HEAD'))) ?? (await headOfWorktree(at));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)/.exec(head)?.[1] ?? NO_BRANCH;
    if (at === dirname(at)) return NO_BRANCH;
  }
}

/** In a worktree `.git` is a file that says where the rest lies. */
async function headOfWorktree(folder: string): Promise<string | undefined> {
  const link = /^gitdir: (.+)/.exec((await textOf(join(folder, '.git'))) ?? '')?.[1];
  return link === undefined ? undefined : textOf(join(resolve(folder, link), 'HEAD'));
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
