import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import type { Repository } from './repository.ts';

/** A list of the paths of a repository that has no more folders than are watched. */
const PATHS_BYTES = 8 * 1024 * 1024;

/** No system has longer paths; an index may. */
const MOST_PATH = 4096;

/** The folders of a repository that are not ignored, each with a watch of the system's. */
export class WatchedFolders {
  readonly #repository: Repository;
  readonly #onChange: (path: string) => void;
  readonly #onFailed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  /** `onChange` is told paths within the repository; `onFailed`, that the system or the limit allows no more watches. */
  constructor(repository: Repository, onChange: (path: string) => void, onFailed: () => void) {
    this.#repository = repository;
    this.#onChange = onChange;
    this.#onFailed = onFailed;
  }

  /** Watch all folders that have files which are not ignored. */
  async addAll(): Promise<void> {
    const { git, root } = this.#repository;
    const { stdout, isCut } = await git.run(
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
      { maxBytes: PATHS_BYTES },
    );
    if (isCut) return this.#onFailed();
    const folders = new Set(['.']);
    for (const path of pathsIn(stdout.toString())) {
      if (path.length > MOST_PATH) continue;
      for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
      if (folders.size > LIMITS.watchedFolders.most) return this.#onFailed();
    }
    for (const folder of folders) if (!this.#add(join(root, folder))) return;
  }

  /** A folder that is new, with those in it; what was watched under its name before is another one. */
  async addNew(path: string): Promise<void> {
    const folder = join(this.#repository.root, path);
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    // Before it is read: what is made in it meanwhile must not be missed.
    if (!this.#add(folder)) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
    for (const one of await this.notIgnored(inner)) await this.addNew(one);
  }

  /** Those of some paths that git does not ignore. */
  async notIgnored(paths: readonly string[]): Promise<string[]> {
    // Git's own folder is not one of the files.
    const files = paths.filter((path) => !path.split('/').includes('.git'));
    if (files.length === 0) return [];
    const { stdout } = await this.#repository.git.run(['check-ignore', '-z', '--stdin'], {
      // A name that begins with a colon would mean something else; this command knows no other way to say so.
      env: { GIT_LITERAL_PATHSPECS: '0' },
      input: files.map((path) => `./${path}`).join('\0'),
      codes: [0, 1],
    });
    const ignored = new Set(stdout.toString().split('\0'));
    return files.filter((path) => !ignored.has(`./${path}`));
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Returns whether more may be added. */
  #add(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    if (this.#watchers.size >= LIMITS.watchedFolders.most) {
      this.#onFailed();
      return false;
    }
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) =>
        this.#onChange(relative(this.#repository.root, join(folder, name ?? ''))),
      );
      // It is gone: the folder above tells of that.
      watcher.on('error', () => watcher.close());
      this.#watchers.set(folder, watcher);
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone) this.#onFailed();
      return isGone;
    }
    return true;
  }
}

/** One at a time: there may be hundreds of thousands. */
function* pathsIn(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('\0'); end !== -1; end = text.indexOf('\0', from)) {
    yield text.slice(from, end);
    from = end + 1;
  }
}
