import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { realPath } from '@signalbox/transport/real-path';

/**
 * The folder by which `claude` notes what belongs to a project: its repository, for a worktree the main one, and the
 * folder itself where there is none.
 */
export function repositoryRoot(folder: string): string {
  const path = realPath(folder);
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return mainWorktree(at) ?? at;
    if (at === dirname(at)) return path;
  }
}

/** A `.git` that is a file says where the rest lies. Only a repository that names the worktree as its own is believed. */
function mainWorktree(folder: string): string | undefined {
  const link = /^gitdir: (.+)/.exec(textOf(join(folder, '.git')))?.[1];
  if (link === undefined) return undefined;
  const own = resolve(folder, link);
  const isOwn = textOf(join(own, 'gitdir')).trim() === join(folder, '.git');
  const common = dirname(dirname(own));
  return isOwn && common.endsWith('.git') ? dirname(common) : undefined;
}

function textOf(file: string): string {
  try {
    return readPlainFile(file);
  } catch {
    return '';
  }
}
