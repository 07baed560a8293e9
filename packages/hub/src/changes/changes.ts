import { LIMITS } from '@signalbox/protocol';
import type { ChangedFile, FileDiff, FolderChangeList } from '@signalbox/protocol/hub';
import type { Git } from '@signalbox/transport/git';
import { commitOf, type NamedBase, treeOf } from './change-base.ts';
import { ChangeNotFoundError } from './changes-errors.ts';
import { type ComparedFile, compareFiles, PLAIN_DIFF } from './compared-files.ts';
import { countLines } from './count-lines.ts';
import { parseDiff } from './file-diff.ts';
import type { Repository } from './repository.ts';
import { readStatus, type Status, type StatusFile } from './status.ts';

/** From here on it takes less to look at all files than to name them. */
const MOST_NAMED = 500;

/** No program is given longer names. */
const MOST_NAMED_LENGTH = 64 * 1024;

/** Which file to compare, and with what. */
export interface DiffRequest extends NamedBase {
  path: string;
  oldPath?: string;
  context: number;
}

/** The files that differ from what they are compared with, untracked ones included. */
export async function listChanges(repository: Repository, named: NamedBase): Promise<FolderChangeList> {
  const status = await readStatus(repository);
  const commit = named.base === 'head' ? status.head : await commitOf(repository, named);
  const { files: compared, isCut } = await filesSince(repository, commit, named, status);
  const files = await withUntracked(repository.root, compared, status);
  return folderList(repository, status, { baseCommit: commit, files, isCut: isCut || status.isCut });
}

/** What is told of a folder, with the files that differ as far as they are listed. */
export function folderList(
  repository: Repository,
  { branch, head, upstream, ahead, behind }: Status,
  { baseCommit, files, isCut }: Pick<FolderChangeList, 'baseCommit' | 'files' | 'isCut'>,
): FolderChangeList {
  return {
    root: repository.root,
    branch,
    head,
    upstream,
    ahead,
    behind,
    underWay: repository.underWay,
    isLocked: repository.isLocked,
    baseCommit,
    files: files.slice(0, LIMITS.changedFiles.most),
    isCut: isCut || files.length > LIMITS.changedFiles.most,
  };
}

/** How one file differs. Raises `CHANGE_NOT_FOUND`. */
export async function diffFile(repository: Repository, request: DiffRequest): Promise<FileDiff> {
  const { git } = repository;
  const { path } = request;
  const tree = await treeOf(repository, await commitOf(repository, request));
  const tracked = await diffOf(git, [tree], request);
  if (tracked) return tracked;
  const others = await git.run(['ls-files', '--others', '--exclude-standard', '-z', '--', path]);
  if (others.stdout.toString() !== `${path}\0`) throw new ChangeNotFoundError(path);
  const untracked = await readDiff(git, request, ['--no-index', '--', '/dev/null', path], [0, 1]);
  return untracked ?? { path, oldMode: null, newMode: null, isBinary: false, hunks: [], isCut: false };
}

/** How a tracked file differs between a tree and the folder, or between two trees; undefined where it does not. */
export async function diffOf(
  git: Git,
  trees: readonly string[],
  request: DiffRequest,
): Promise<FileDiff | undefined> {
  const { path, oldPath } = request;
  const renamed =
    oldPath === undefined ? undefined : await readDiff(git, request, [...trees, '--', oldPath, path]);
  const tracked = renamed ?? (await readDiff(git, request, [...trees, '--', path]));
  return tracked?.oldPath === undefined ? tracked : { ...tracked, oldPath: oldPath ?? tracked.oldPath };
}

async function readDiff(
  git: Git,
  { path, context }: DiffRequest,
  words: readonly string[],
  codes?: readonly number[],
): Promise<FileDiff | undefined> {
  const { stdout, isCut } = await git.run(
    ['diff', ...PLAIN_DIFF, `--unified=${context}`, '--src-prefix=a/', '--dst-prefix=b/', ...words],
    { maxBytes: LIMITS.fileDiffBytes.most, ...(codes ? { codes } : {}) },
  );
  const text = stdout.toString();
  // Two files, where it is no longer one that was renamed.
  const isOne = text.split(/^diff --git /m, 3).length < 3;
  return text === '' || !isOne ? undefined : parseDiff(path, text, isCut);
}

/** Branches that can be compared with, those that were committed to last first. */
export async function listBranches({ git }: Repository): Promise<{ items: string[]; isCut: boolean }> {
  const { most } = LIMITS.listedBranches;
  const text = await git.text([
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${most + 1}`,
    '--format=%(refname)',
    'refs/heads',
    'refs/remotes',
  ]);
  const names = text
    .split('\n')
    .map((name) => name.replace(/^refs\/(?:heads|remotes)\//, ''))
    .filter((name) => name !== '' && !name.endsWith('/HEAD'));
  return { items: names.slice(0, most), isCut: names.length > most };
}

/** Tracked files. Of HEAD the status has told already which they are: only those are read. */
async function filesSince(
  repository: Repository,
  commit: string | null,
  { base }: NamedBase,
  { files, isCut }: Status,
): Promise<{ files: ComparedFile[]; isCut: boolean }> {
  const tracked = files.filter(({ state }) => state !== 'untracked');
  const isHead = base === 'head';
  if (isHead && tracked.length === 0) return { files: [], isCut: false };
  const paths = tracked.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
  const length = paths.reduce((sum, path) => sum + path.length, 0);
  const areNamed = isHead && !isCut && paths.length <= MOST_NAMED && length <= MOST_NAMED_LENGTH;
  return compareFiles(repository, [await treeOf(repository, commit)], areNamed ? paths : []);
}

async function withUntracked(
  root: string,
  compared: readonly ComparedFile[],
  status: Status,
): Promise<ChangedFile[]> {
  const known = new Map<string, StatusFile>(status.files.map((file) => [file.path, file]));
  const files = compared.map((file): ChangedFile => {
    const { staged = 'none', state } = known.get(file.path) ?? {};
    return { ...file, staged, ...(state === 'conflicted' ? { kind: 'conflicted' as const } : {}) };
  });
  const listed = new Set(files.map(({ path }) => path));
  const others = status.files.filter(({ path, state }) => !listed.has(path) && isShown(state, path));
  function isShown(state: StatusFile['state'], path: string): boolean {
    // Staged, and then made what it was: the next commit would change it all the same.
    return state !== 'tracked' || known.get(path)?.staged === 'part';
  }
  const rest = await Promise.all(
    others.map(async ({ path, state, staged, isSubmodule }, at): Promise<ChangedFile> => {
      const isCounted = state === 'untracked' && at < LIMITS.countedFiles.most;
      const counts = isCounted
        ? await countLines(root, path)
        : { added: null, removed: null, isBinary: false };
      const kind = state === 'tracked' ? 'modified' : state;
      return { path, kind, staged, isSubmodule, ...counts };
    }),
  );
  return [...files, ...rest].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
