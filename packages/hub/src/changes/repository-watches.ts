import { LIMITS } from '@signalbox/protocol';
import { ChangeLimitError } from './changes-errors.ts';
import type { Repository } from './repository.ts';
import { RepositoryWatch } from './repository-watch.ts';

interface Shared {
  listeners: Set<() => void>;
  watch: RepositoryWatch;
  started: Promise<void>;
}

/** Repositories that somebody looks at: one watch for each, however many look, and none when nobody does. */
export class RepositoryWatches {
  readonly #shared = new Map<string, Shared>();

  /** Settles when nothing is missed any more, with the way to stop it. Raises `CHANGE_LIMIT`. */
  async add(repository: Repository, onChange: () => void): Promise<() => void> {
    const { root } = repository;
    const shared = this.#shared.get(root) ?? this.#start(repository);
    // An object of its own: one who looks twice is told twice.
    const listener = (): void => onChange();
    shared.listeners.add(listener);
    const end = (): void => {
      shared.listeners.delete(listener);
      if (shared.listeners.size > 0) return;
      shared.watch.close();
      if (this.#shared.get(root) === shared) this.#shared.delete(root);
    };
    try {
      await shared.started;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  close(): void {
    for (const { watch } of this.#shared.values()) watch.close();
    this.#shared.clear();
  }

  #start(repository: Repository): Shared {
    if (this.#shared.size >= LIMITS.watchedRepositories.most)
      throw new ChangeLimitError(LIMITS.watchedRepositories);
    const listeners = new Set<() => void>();
    const watch = new RepositoryWatch(repository, () => {
      for (const listener of listeners) listener();
    });
    const shared = { listeners, watch, started: watch.start() };
    this.#shared.set(repository.root, shared);
    return shared;
  }
}
