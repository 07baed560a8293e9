import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import { Git, GitFailedError } from '@signalbox/transport/git';
import { endMarked } from '@signalbox/transport/loop';
import { RepositoryBusyError } from '../git/git-errors.ts';
import { commitOf, PATIENT } from '../git/repository.ts';
import { copyIgnored } from './copy-ignored.ts';
import { BranchExistsError, WorktreeExistsError, WorktreeNotMadeError } from './worktree-errors.ts';
import type { WorktreeRecord } from './worktree-record.ts';

/** The file in git's own folder of a worktree by which it is known to be ours. */
export const MARKER = 'signalbox-worktree';

/** The variable by which git is found again that a killed hub left at work. */
const MAKING_MARK = 'SIGNALBOX_MAKING';

/**
 * Make the worktree of a record: its branch, its folder, its files, and copies of ignored ones. All of it, or nothing: what
 * was begun is undone.
 */
export async function makeWorktree(record: WorktreeRecord, copy: readonly string[]): Promise<void> {
  const { root, folder, branch, commit } = record;
  const options = { ...PATIENT, env: { [MAKING_MARK]: record.id } };
  const git = await Git.open(root, options);
  if (await commitOf(git, `refs/heads/${branch}`)) throw new BranchExistsError(branch, root);
  takeFolder(folder);
  try {
    // Only where no such branch is: of two who try at once one is refused.
    await git.run(['update-ref', `refs/heads/${branch}`, commit, '0'.repeat(commit.length)]);
    // Marked before it has a file: one that a hub was killed over is known by that.
    await git.run(['worktree', 'add', '--quiet', '--no-checkout', folder, branch]);
    const own = await Git.open(folder, options);
    const gitFolder = await own.text(['rev-parse', '--absolute-git-dir']);
    writeFileSync(join(gitFolder, MARKER), record.id, { mode: 0o600 });
    await own.run(['reset', '--quiet', '--hard', '--no-recurse-submodules']);
    await copyIgnored(root, folder, copy);
  } catch (error) {
    await undoWorktree(record);
    throw failure(record, error);
  }
}

/** Raises `WORKTREE_EXISTS` for one that is there: it may be anybody's. */
function takeFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw existsSync(folder) ? new WorktreeExistsError(folder) : error;
  }
}

/** Take away a worktree in which nobody has worked, and its branch where that has not moved. */
export async function undoWorktree({ id, root, folder, branch, commit }: WorktreeRecord): Promise<void> {
  endMarked({ name: MAKING_MARK, value: id });
  if (existsSync(root)) {
    const git = await Git.open(root, PATIENT);
    const remove = ['worktree', 'remove', '--force', '--force', folder];
    await git.line(remove);
    await rm(folder, { recursive: true, force: true });
    // One that was half made is known to git and cannot be removed before its folder is gone.
    await git.line(remove);
    await git.line(['update-ref', '-d', `refs/heads/${branch}`, commit]);
  }
  await rm(folder, { recursive: true, force: true });
}

function failure({ root, folder }: WorktreeRecord, error: unknown): Error {
  if (error instanceof GitFailedError && /\.lock'?: File exists/.test(error.words))
    return new RepositoryBusyError(root, `git says: ${error.words}`);
  if (error instanceof GitFailedError) return new WorktreeNotMadeError(folder, error.words);
  return error instanceof SignalboxError ? error : new WorktreeNotMadeError(folder, messageOf(error));
}
