import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangedFile, FileDiff, FolderChangeList } from '@signalbox/protocol/hub';
import { GitFailedError, ScratchGit } from '@signalbox/transport/git';
import { type DiffRequest, diffFile, diffOf, folderList } from './changes.ts';
import { ChangeBaseNotFoundError, ChangeNotFoundError } from './changes-errors.ts';
import { type ComparedFile, compareFiles } from './compared-files.ts';
import type { Repository } from './repository.ts';
import type { KeptTurn, SessionSnapshots } from './session-snapshots.ts';
import { readStatus } from './status.ts';

/** The files that differ from what they were when the session began, whatever was committed since. */
export async function listSinceStart(
  repository: Repository,
  snapshots: SessionSnapshots,
): Promise<FolderChangeList> {
  const start = await snapshots.start(repository);
  const status = await readStatus(repository);
  const { files, isCut } = await beside(repository, snapshots, async (scratch) => {
    const large = await scratch.takeFiles();
    const { files: compared, ...rest } = await compareFiles(scratch, [start.tree], []);
    const known = new Set([...compared.map(({ path }) => path), ...start.large]);
    return { ...rest, files: [...compared, ...large.filter((path) => !known.has(path)).map(uncounted)] };
  });
  const staged = new Map(status.files.map((file) => [file.path, file.staged]));
  const listed = files.map((file): ChangedFile => ({ ...file, staged: staged.get(file.path) ?? 'none' }));
  return folderList(repository, status, { baseCommit: start.tree, files: listed, isCut });
}

/** The files that a turn changed. */
export async function listOfTurn(
  repository: Repository,
  { before, after }: KeptTurn,
): Promise<FolderChangeList> {
  const { files, isCut } = await orForgotten(compareFiles(repository, [before, after], []));
  const listed = files.map((file): ChangedFile => ({ ...file, staged: 'none' }));
  const status = await readStatus(repository);
  return folderList(repository, status, { baseCommit: before, files: listed, isCut });
}

/** How one file differs from what it was when the session began. Raises `CHANGE_NOT_FOUND`. */
export async function diffSinceStart(
  repository: Repository,
  snapshots: SessionSnapshots,
  request: DiffRequest,
): Promise<FileDiff> {
  const { tree } = await snapshots.start(repository);
  const { path, oldPath } = request;
  return beside(repository, snapshots, async (scratch) => {
    // One that is named by the client may be ignored, or a link to anywhere: git takes it as it takes all others.
    const named = oldPath === undefined ? [path] : [oldPath, path];
    const large = await scratch.takeFiles(await notIgnored(repository, named));
    if (large.includes(path)) return diffFile(repository, { ...request, base: 'head' });
    return found(path, await diffOf(scratch.git, [tree], request));
  });
}

/** How a turn changed one file. Raises `CHANGE_NOT_FOUND`. */
export async function diffOfTurn(
  { git }: Repository,
  { before, after }: KeptTurn,
  request: DiffRequest,
): Promise<FileDiff> {
  return found(request.path, await orForgotten(diffOf(git, [before, after], request)));
}

function found(path: string, diff: FileDiff | undefined): FileDiff {
  if (!diff) throw new ChangeNotFoundError(path);
  return diff;
}

/** Of some paths those that are there, or were, and are not ignored. */
async function notIgnored({ git }: Repository, paths: readonly string[]): Promise<string[]> {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--'];
  return (await git.text([...words, ...paths])).split('\0').filter(Boolean);
}

/** Look at the files with an index and objects that nobody else uses, and that are thrown away. */
async function beside<Result>(
  { root }: Repository,
  { objects }: SessionSnapshots,
  look: (scratch: ScratchGit) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-look-'));
  try {
    return await orForgotten(look(await ScratchGit.open(root, folder, { objects })));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A large file that is new since then. */
function uncounted(path: string): ComparedFile {
  return { path, kind: 'untracked', added: null, removed: null, isBinary: false, isSubmodule: false };
}

/** A commit that nobody needs any more is thrown away by git after a while, with the files that only it had. */
async function orForgotten<Result>(looked: Promise<Result>): Promise<Result> {
  try {
    return await looked;
  } catch (error) {
    if (error instanceof GitFailedError && /bad object|unable to read|not a tree/i.test(error.words))
      throw new ChangeBaseNotFoundError('Git has thrown away what the files were then.');
    throw error;
  }
}
