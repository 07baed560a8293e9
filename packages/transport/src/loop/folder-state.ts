import { resolve } from 'node:path';
import type { FolderChanges, FolderState } from '@signalbox/protocol/loop';
import { Git } from '../git/git.ts';
import { ScratchGit } from '../git/scratch-git.ts';

/**
 * The state of a folder's files as git sees them, untracked ones included. Nothing of the repository is touched: objects
 * and index are kept in `scratch`. Null where there is no repository, or git cannot tell.
 */
export async function folderState(folder: string, scratch: string): Promise<FolderState | null> {
  try {
    const beside = await gitBeside(folder, scratch);
    await beside.takeFiles();
    const head = (await beside.git.line(['rev-parse', '--verify', '--quiet', 'HEAD'])) ?? null;
    return { head, tree: await beside.tree() };
  } catch {
    return null;
  }
}

/** What changed between two states of a folder; null when that cannot be told any more. */
export async function folderChanges(
  folder: string,
  scratch: string,
  before: FolderState | null,
  after: FolderState | null,
): Promise<FolderChanges | null> {
  if (!before || !after) return null;
  try {
    const { git } = await gitBeside(folder, scratch);
    const stat = await git.text(['diff-tree', '-r', '--shortstat', before.tree, after.tree]);
    const range = before.head === null ? after.head : `${before.head}..${after.head}`;
    const commits =
      after.head === null || range === null ? '0' : await git.text(['rev-list', '--count', range]);
    return {
      commits: Number(commits),
      files: numberBefore(stat, ' file'),
      insertions: numberBefore(stat, ' insertion'),
      deletions: numberBefore(stat, ' deletion'),
    };
  } catch {
    return null;
  }
}

async function gitBeside(folder: string, scratch: string): Promise<ScratchGit> {
  const top = await Git.forNames(folder).text(['rev-parse', '--show-toplevel']);
  return ScratchGit.open(resolve(folder, top), scratch);
}

function numberBefore(stat: string, noun: string): number {
  return Number(new RegExp(`(\\d+)${noun}`).exec(stat)?.[1] ?? 0);
}
