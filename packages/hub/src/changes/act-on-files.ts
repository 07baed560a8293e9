import { LIMITS } from '@signalbox/protocol';
import { GitFailedError, type GitRunOptions } from '@signalbox/transport/git';
import { treeOf } from './change-base.ts';
import {
  ChangeNotFoundError,
  GitIdentityError,
  GitTaskError,
  NothingStagedError,
  RepositoryFilteredError,
  RepositoryLockedError,
} from './changes-errors.ts';
import type { Repository } from './repository.ts';
import { readStatus, type StatusFile } from './status.ts';

const FROM_STDIN = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** Have files in the next commit as they are now. Raises `CHANGE_NOT_FOUND`, `REPOSITORY_FILTERED` or `REPOSITORY_LOCKED`. */
export async function stageFiles(repository: Repository, paths: readonly string[]): Promise<void> {
  const files = await changedFiles(repository, paths);
  const names = files.filter(({ staged }) => staged !== 'all').map(({ path }) => path);
  if (names.length === 0) return;
  await assertUnfiltered(repository, names);
  await write(repository, ['add', '--all', ...FROM_STDIN], { input: names.join('\0') });
}

/** Have files in the next commit as they were in the last one. Raises the same. */
export async function unstageFiles(repository: Repository, paths: readonly string[]): Promise<void> {
  const files = await changedFiles(repository, paths);
  const names = files.filter(({ staged }) => staged !== 'none').flatMap(namesOf);
  if (names.length === 0) return;
  const { head } = await readStatus(repository);
  const words = head === null ? ['rm', '-r', '-f', '--cached', '--quiet'] : ['restore', '--staged'];
  await write(repository, [...words, ...FROM_STDIN], { input: names.join('\0') });
}

/** Commit what is staged; the name of the commit. Hooks are not run. Raises `NOTHING_STAGED`, `GIT_TASK_UNDER_WAY`, `GIT_IDENTITY_UNKNOWN` or `REPOSITORY_LOCKED`. */
export async function commitStaged(repository: Repository, message: string): Promise<string> {
  const { git, underWay } = repository;
  if (underWay !== null && underWay !== 'bisect') throw new GitTaskError(underWay);
  const { files, head } = await readStatus(repository);
  if (!files.some(({ staged }) => staged !== 'none')) throw new NothingStagedError();
  const words = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '--file=-'];
  await write(repository, words, { input: message });
  const commit = await git.text(['rev-parse', '--verify', 'HEAD']);
  if (commit === head) throw new NothingStagedError();
  return commit;
}

/** Make files what they are in the last commit, in the index and in the folder. What git does not know is left alone. */
export async function restoreFiles(repository: Repository, files: readonly StatusFile[]): Promise<void> {
  const names = files.filter(({ state }) => state !== 'untracked').flatMap(namesOf);
  if (names.length === 0) return;
  const { head } = await readStatus(repository);
  const source = await treeOf(repository, head);
  const words = ['restore', `--source=${source}`, '--staged', '--worktree', '--no-recurse-submodules'];
  await write(repository, [...words, ...FROM_STDIN], { input: names.join('\0') });
}

/** What git says of some paths, each of which must be one that changed. Raises `CHANGE_NOT_FOUND`. */
export async function changedFiles(repository: Repository, paths: readonly string[]): Promise<StatusFile[]> {
  const { files } = await readStatus(repository);
  const known = new Map(files.map((file) => [file.path, file]));
  return paths.map((path) => {
    const file = known.get(path);
    if (!file) throw new ChangeNotFoundError(path);
    return file;
  });
}

/** Of a file that was renamed both names. */
export function namesOf({ path, oldPath }: StatusFile): string[] {
  return oldPath === undefined ? [path] : [oldPath, path];
}

/** What a filter of the repository would have made of a file cannot be known without running it. */
export async function assertUnfiltered({ git }: Repository, paths: readonly string[]): Promise<void> {
  if (git.withheldFilters.size === 0) return;
  const { stdout } = await git.run(['check-attr', '-z', '--stdin', 'filter'], {
    input: paths.join('\0'),
    maxBytes: LIMITS.changeListBytes.most,
  });
  const words = stdout.toString().split('\0');
  for (let at = 0; at + 2 < words.length; at += 3) {
    const filter = words[at + 2] ?? '';
    if (git.withheldFilters.has(filter)) throw new RepositoryFilteredError(words[at] ?? '', filter);
  }
}

/** Run something that writes. */
export async function write(
  { git, isLocked }: Repository,
  words: readonly string[],
  options?: GitRunOptions,
): Promise<void> {
  if (isLocked) throw new RepositoryLockedError();
  await git.run(words, options).catch((error: unknown) => {
    if (!(error instanceof GitFailedError)) throw error;
    if (/\.lock'?: File exists/.test(error.words)) throw new RepositoryLockedError();
    if (/^(Author|Committer) identity unknown|empty ident name/m.test(error.words))
      throw new GitIdentityError();
    throw error;
  });
}
