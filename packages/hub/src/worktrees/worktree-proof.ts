import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { messageOf } from '@signalbox/protocol';
import { Git } from '@signalbox/transport/git';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { branchIn, commitOf, underWayIn, worktreesOf } from '../git/repository.ts';
import { MARKER } from './make-worktree.ts';
import type { WorktreeRecord } from './worktree-record.ts';

/** A repository may say that its files are not looked at closely. */
const TRUTHFUL = [
  '-c',
  'core.ignoreStat=false',
  '-c',
  'core.checkStat=default',
  '-c',
  'core.untrackedCache=false',
];

/** What is to be said of a worktree before anything of it is removed. */
export interface WorktreeProof {
  isOurs: boolean;
  /** Whether its folder is there. */
  isThere: boolean;
  /** Why it must stay, in words; nothing when nothing would be lost. */
  keeps: string[];
  /** The commit of its branch that was looked at; undefined when there is no such branch. */
  tip: string | undefined;
  /** Whether every commit of its branch is on another branch, in a tag or at a remote as well. */
  isTipKept: boolean;
}

/** Look whether a worktree is ours, and whether anything would be lost with it. What cannot be told keeps it. */
export async function proveWorktree(record: WorktreeRecord): Promise<WorktreeProof> {
  const unproven = (why: string): WorktreeProof => ({
    isOurs: false,
    isThere: existsSync(record.folder),
    keeps: [why],
    tip: undefined,
    isTipKept: false,
  });
  try {
    if (!existsSync(record.root)) return unproven(`its repository ${record.root} is not there any more.`);
    const git = await Git.open(record.root);
    // An agent may have put a link to another worktree in the place of its own.
    if (!isInPlace(record.folder)) return unproven('a link is in its place.');
    const known = (await worktreesOf(git)).includes(realOf(record.folder));
    const tip = await commitOf(git, `refs/heads/${record.branch}`);
    const isTipKept = tip === undefined || (await isKept(git, tip, record.branch));
    const unmerged = isTipKept ? [] : [`${record.branch} has commits that are neither pushed nor merged.`];
    // Somebody removed it by hand: only its branch is left to be looked at.
    if (!existsSync(record.folder)) return { isOurs: true, isThere: false, keeps: unmerged, tip, isTipKept };
    if (!known) return unproven(`git does not know it as a worktree of ${record.root}.`);
    const own = await Git.open(record.folder);
    const gitFolder = await own.text(['rev-parse', '--absolute-git-dir']);
    if (markIn(gitFolder) !== record.id)
      return unproven('the mark that Signalbox leaves in a worktree is not in it.');
    const keeps = [...(await keepsIn(own, gitFolder, record.branch)), ...unmerged];
    return { isOurs: true, isThere: true, keeps, tip, isTipKept };
  } catch (error) {
    return unproven(`it cannot be looked at: ${messageOf(error)}`);
  }
}

async function keepsIn(git: Git, gitFolder: string, branch: string): Promise<string[]> {
  const keeps: string[] = [];
  const changed = await git.text([
    ...TRUTHFUL,
    'status',
    '--porcelain',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
  ]);
  const count = changed.split('\n').filter(Boolean).length;
  if (count > 0) keeps.push(`${count} ${count === 1 ? 'file is' : 'files are'} changed and not committed.`);
  const underWay = underWayIn(gitFolder);
  if (underWay) keeps.push(`${underWay} is under way in it.`);
  if (existsSync(join(gitFolder, 'index.lock'))) keeps.push('git is at work in it (index.lock).');
  if (existsSync(join(gitFolder, 'locked'))) keeps.push('it is locked (git worktree lock).');
  if (existsSync(join(gitFolder, 'modules'))) keeps.push('it has submodules.');
  // `git update-index --assume-unchanged`, or a sparse checkout: a change there would not be seen.
  const isOverlooked = /^[a-zS] /m.test(await git.text(['ls-files', '-v']));
  if (isOverlooked) keeps.push('git was told to overlook changes in it.');
  const head = await commitOf(git, 'HEAD');
  const isDetached = (await branchIn(git)) === null;
  if (isDetached && head !== undefined && !(await isKept(git, head, branch)))
    keeps.push('what it has checked out is on no branch.');
  return keeps;
}

/** Whether a commit can be reached from another branch, a tag or a remote. */
async function isKept(git: Git, commit: string, branch: string): Promise<boolean> {
  const others = [`--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  return (await git.text(['rev-list', '--max-count=1', commit, '--not', ...others])).trim() === '';
}

/** The mark that was left there; undefined when something else is there. An agent can write to git's folder: it may be a pipe. */
function markIn(gitFolder: string): string | undefined {
  try {
    return readPlainFile(join(gitFolder, MARKER));
  } catch {
    return undefined;
  }
}

/** Whether a worktree's folder is the one below those of its repository, and no link to somewhere else. */
function isInPlace(folder: string): boolean {
  const below = dirname(dirname(folder));
  return !existsSync(folder) || realpathSync(folder) === join(realpathSync(below), relative(below, folder));
}

/** As git has it in its list. */
function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
