import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryTask } from '@signalbox/protocol/hub';
import { Git, GitFailedError, type GitOpenOptions } from '@signalbox/transport/git';
import { taskIn } from '../git/repository.ts';
import { RepositoryBareError, RepositoryElsewhereError, RepositoryNotFoundError } from './changes-errors.ts';

/** The git repository that a folder is in. */
export class Repository {
  /** Runs at the top of its files. */
  readonly git: Git;
  /** The top folder of its files. */
  readonly root: string;
  /** Where git keeps what belongs to these files; a worktree has one of its own. */
  readonly gitFolder: string;

  private constructor(git: Git, root: string, gitFolder: string) {
    this.git = git;
    this.root = root;
    this.gitFolder = gitFolder;
  }

  /** Raises `REPOSITORY_NOT_FOUND`, `REPOSITORY_BARE`, `REPOSITORY_ELSEWHERE`, or what git does. */
  static async open(folder: string, options?: GitOpenOptions): Promise<Repository> {
    const asked = placesOf(Git.forNames(folder)).catch((error: unknown) => {
      if (!(error instanceof GitFailedError)) throw error;
      throw /bare repository|must be run in a work tree/.test(error.words)
        ? new RepositoryBareError(folder)
        : new RepositoryNotFoundError(folder, error.words);
    });
    const [git, [gitFolder = '', root = '']] = await Promise.all([Git.open(folder, options), asked]);
    // `core.worktree` may name any folder: only one that leads to the same repository is its own.
    if (!existsSync(join(root, '.git'))) throw new RepositoryElsewhereError(folder);
    if (root === (await realpath(folder))) return new Repository(git, root, gitFolder);
    const atTop = await Git.open(root, options);
    if ((await placesOf(atTop))[0] !== gitFolder) throw new RepositoryElsewhereError(folder);
    return new Repository(atTop, root, gitFolder);
  }

  /** What somebody has begun and not ended. */
  get underWay(): RepositoryTask | null {
    return taskIn(this.gitFolder) ?? null;
  }

  get isLocked(): boolean {
    return existsSync(join(this.gitFolder, 'index.lock'));
  }
}

async function placesOf(git: Git): Promise<string[]> {
  return (await git.text(['rev-parse', '--absolute-git-dir', '--show-toplevel'])).split('\n');
}
