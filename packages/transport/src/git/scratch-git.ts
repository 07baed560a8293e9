import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { Git } from './git.ts';
import { SnapshotLimitError } from './git-errors.ts';

/** How many files are looked at at the same time. */
const AT_ONCE = 200;

/** How a {@link ScratchGit} is opened. */
export interface ScratchOptions {
  /** How long each run of git may take. */
  seconds?: number;
  /** Other folders with objects that are read. */
  objects?: readonly string[];
}

/**
 * Git with an index and objects of its own, in a folder beside a repository: it can take note of the files as they are, and
 * neither the index nor the objects of the repository are written to. Not for two at once in the same folder.
 */
export class ScratchGit {
  readonly git: Git;
  readonly #root: string;

  private constructor(git: Git, root: string) {
    this.git = git;
    this.#root = root;
  }

  /** `root` is the top of the repository's files; what is noted is kept in `scratch`. */
  static async open(
    root: string,
    scratch: string,
    { seconds, objects = [] }: ScratchOptions = {},
  ): Promise<ScratchGit> {
    const paths = await Git.forNames(root).text([
      'rev-parse',
      '--git-path',
      'index',
      '--git-path',
      'objects',
    ]);
    const [index = '', own = ''] = paths.split('\n').map((path) => resolve(root, path));
    await mkdir(join(scratch, 'objects'), { recursive: true, mode: 0o700 });
    await copyIndex(index, join(scratch, 'index'));
    const env = {
      GIT_INDEX_FILE: join(scratch, 'index'),
      GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
      ...alternates([own, ...objects]),
    };
    return new ScratchGit(await Git.open(root, { env, ...(seconds === undefined ? {} : { seconds }) }), root);
  }

  /**
   * Take the files as they are into the index, untracked ones included; of `paths` only, where they are named. Large ones stay
   * as the index has them, and are named. Raises `SNAPSHOT_LIMIT`.
   */
  async takeFiles(paths?: readonly string[]): Promise<string[]> {
    const changed = paths ?? (await this.#changedFiles());
    const { taken, gone, large } = await this.#sorted(changed);
    await this.#update(['--force-remove'], gone);
    await this.#update(['--add', '--remove', '--replace'], taken);
    return large;
  }

  /** What the index has, as a tree. */
  tree(): Promise<string> {
    // What a partial clone lacks need not be there.
    return this.git.text(['write-tree', '--missing-ok']);
  }

  async #update(words: readonly string[], paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    await this.git.run(['update-index', ...words, '-z', '--stdin'], { input: paths.join('\0') });
  }

  async #changedFiles(): Promise<string[]> {
    const { stdout, isCut } = await this.git.run(
      ['ls-files', '--modified', '--others', '--exclude-standard', '--deduplicate', '-z'],
      { maxBytes: LIMITS.changeListBytes.most },
    );
    const paths = stdout.toString().split('\0').slice(0, -1);
    if (isCut || paths.length > LIMITS.snapshotFiles.most) throw new SnapshotLimitError(LIMITS.snapshotFiles);
    // A repository within this one is not a part of it.
    return paths.filter((path) => !path.endsWith('/'));
  }

  /** `gone`: files in whose place there is a folder now. */
  async #sorted(paths: readonly string[]): Promise<Record<'taken' | 'gone' | 'large', string[]>> {
    const sorted = { taken: [] as string[], gone: [] as string[], large: [] as string[] };
    let bytes = 0;
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const some = paths.slice(at, at + AT_ONCE);
      const looks = await Promise.all(some.map((path) => lookAt(join(this.#root, path))));
      for (const [index, path] of some.entries()) {
        const { as = 'taken', size = 0 } = looks[index] ?? {};
        sorted[as].push(path);
        if (as === 'taken') bytes += size;
      }
      if (bytes > LIMITS.snapshotBytes.most) throw new SnapshotLimitError(LIMITS.snapshotBytes);
    }
    return sorted;
  }
}

/** The environment in which git also reads the objects of these folders. */
export function alternates(folders: readonly string[]): Record<string, string> {
  return folders.length === 0
    ? {}
    : { GIT_ALTERNATE_OBJECT_DIRECTORIES: folders.map((one) => JSON.stringify(one)).join(':') };
}

/** The copy knows which files did not change: only the others are read. */
async function copyIndex(from: string, to: string): Promise<void> {
  const stats = await stat(from).catch(() => undefined);
  // Nothing was added to the repository yet.
  if (!stats) return rm(to, { force: true });
  await copyFile(from, to);
  // Git reads a file again that is as young as its index. A younger copy would hide what was changed in that moment.
  await utimes(to, stats.atime, stats.mtime);
}

async function lookAt(path: string): Promise<{ as: 'taken' | 'gone' | 'large'; size: number }> {
  const stats = await lstat(path).catch(() => undefined);
  // A submodule is a folder too.
  if (stats?.isDirectory()) return { as: existsSync(join(path, '.git')) ? 'taken' : 'gone', size: 0 };
  const size = stats?.isFile() ? stats.size : 0;
  return { as: size > LIMITS.snapshotFileBytes.most ? 'large' : 'taken', size };
}
