import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';
import { WatchedFolders } from './watched-folders.ts';

/** What follows within this time is told together. */
const QUIET_MS = 150;

/** Who changes something all the time is told of at least this often. */
const LONGEST_MS = 1000;

/** How often it is told to look where the system cannot watch. */
const POLL_MS = 3000;

/** More names than this are not looked at one by one: something has changed. */
const MOST_NAMES = 500;

/** Tells when something has changed in a repository that is not ignored: a file, the index, or HEAD. */
export class RepositoryWatch {
  readonly #repository: Repository;
  readonly #onChange: () => void;
  #folders: WatchedFolders;
  #ofGit: FSWatcher | undefined;
  #names = new Set<string>();
  #isGitChanged = false;
  #firstAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #state: 'watching' | 'telling' | 'polling' | 'closed' = 'watching';

  constructor(repository: Repository, onChange: () => void) {
    this.#repository = repository;
    this.#onChange = onChange;
    this.#folders = this.#newFolders();
  }

  /** Settles when nothing is missed any more. */
  async start(): Promise<void> {
    try {
      this.#ofGit = watch(this.#repository.gitFolder, { persistent: false }, (_, name) => {
        if (name?.endsWith('.lock')) return;
        this.#isGitChanged = true;
        this.#soon();
      });
      this.#ofGit.on('error', () => this.#poll());
    } catch {
      return this.#poll();
    }
    await this.#folders.addAll();
  }

  close(): void {
    this.#state = 'closed';
    this.#stop();
  }

  #newFolders(): WatchedFolders {
    return new WatchedFolders(
      this.#repository,
      (path) => {
        if (this.#names.size <= MOST_NAMES) this.#names.add(path);
        this.#soon();
      },
      () => this.#poll(),
    );
  }

  #soon(): void {
    if (this.#state !== 'watching') return;
    const now = Date.now();
    if (this.#timer === undefined) this.#firstAt = now;
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#firstAt + LONGEST_MS - now);
    this.#timer = setTimeout(() => void this.#tell(), Math.min(QUIET_MS, left));
    this.#timer.unref();
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    this.#state = 'telling';
    const names = [...this.#names];
    const isGitChanged = this.#isGitChanged;
    this.#names = new Set();
    this.#isGitChanged = false;
    const isMeant = await this.#look(names).catch(() => {
      // The repository is gone, or broken: whoever looks is told why.
      return true;
    });
    // While it was looked it may have been closed, or have failed.
    if (this.#state !== 'telling') return;
    this.#state = 'watching';
    if (isMeant || isGitChanged) this.#onChange();
    if (this.#names.size > 0 || this.#isGitChanged) this.#soon();
  }

  /** Whether any of these is not ignored. New folders are watched from now on. */
  async #look(names: readonly string[]): Promise<boolean> {
    const isRuled = names.some((name) => name.split('/').at(-1) === '.gitignore');
    if (isRuled || names.length > MOST_NAMES) {
      const before = this.#folders;
      this.#folders = this.#newFolders();
      await this.#folders.addAll();
      before.close();
      return true;
    }
    const meant = await this.#folders.notIgnored(names);
    for (const name of meant) if (this.#isFolder(name)) await this.#folders.addNew(name);
    return meant.length > 0;
  }

  #isFolder(name: string): boolean {
    return lstatSync(join(this.#repository.root, name), { throwIfNoEntry: false })?.isDirectory() === true;
  }

  #poll(): void {
    if (this.#state === 'closed' || this.#state === 'polling') return;
    this.#state = 'polling';
    this.#stop();
    this.#timer = setInterval(this.#onChange, POLL_MS);
    this.#timer.unref();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#ofGit?.close();
    this.#folders.close();
  }
}
