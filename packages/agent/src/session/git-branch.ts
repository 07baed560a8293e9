import { dirname, join, resolve } from 'node:path';
import { readPlainFile } from '@signalbox/transport/read-plain-file';

/** What a transcript says where there is no branch: outside of a repository, or on a bare commit. */
const NO_BRANCH = 'HEAD';

/** The branch that is checked out in a folder, read without running git. */
export function gitBranch(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const head = textOf(join(at, '.git', 'HEAD')) ?? headOfWorktree(at);
    if (head !== undefined) return /^ref: refs\/heads\/(.+)/.exec(head)?.[1] ?? NO_BRANCH;
    if (at === dirname(at)) return NO_BRANCH;
  }
}

/** In a worktree `.git` is a file that says where the rest lies. */
function headOfWorktree(folder: string): string | undefined {
  const link = /^gitdir: (.+)/.exec(textOf(join(folder, '.git')) ?? '')?.[1];
  return link === undefined ? undefined : textOf(join(resolve(folder, link), 'HEAD'));
}

function textOf(file: string): string | undefined {
  try {
    return readPlainFile(file);
  } catch {
    return undefined;
  }
}
