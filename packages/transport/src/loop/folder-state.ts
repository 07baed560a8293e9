import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FolderChanges, FolderState } from '@signalbox/protocol/loop';
import { Git } from '../git/git.ts';

/**
 * The state of a folder's files as git sees them, untracked ones included. Nothing of the repository is touched: objects
 * and index are kept in `scratch`. Null where there is no repository, or git cannot tell.
 */
export async function folderState(folder: string, scratch: string): Promise<FolderState | null> {
  try {
    const git = await gitIn(folder, scratch);
    // A copy of the index knows which files did not change: only the others are read.
    await copyFile(git.index, join(scratch, 'index')).catch(() => {});
    await git.run(['add', '--all', '--', ':/']);
    const tree = await git.run(['write-tree']);
    const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => null);
    return { head, tree };
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
    const git = await gitIn(folder, scratch);
    const stat = await git.run(['diff-tree', '-r', '--shortstat', before.tree, after.tree]);
    const range = before.head === null ? after.head : `${before.head}..${after.head}`;
    const commits =
      after.head === null || range === null ? '0' : await git.run(['rev-list', '--count', range]);
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

async function gitIn(folder: string, scratch: string) {
  const git = await Git.open(folder);
  const paths = await git.text(['rev-parse', '--git-path', 'index', '--git-path', 'objects']);
  const [index = '', objects = ''] = paths.split('\n').map((path) => resolve(folder, path));
  await mkdir(join(scratch, 'objects'), { recursive: true, mode: 0o700 });
  const env = {
    GIT_INDEX_FILE: join(scratch, 'index'),
    GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    // The whole tree is named by a sign of git's own.
    GIT_LITERAL_PATHSPECS: '0',
  };
  return { index, run: (words: string[]) => git.text(words, { env }) };
}

function numberBefore(stat: string, noun: string): number {
  return Number(new RegExp(`(\\d+)${noun}`).exec(stat)?.[1] ?? 0);
}
