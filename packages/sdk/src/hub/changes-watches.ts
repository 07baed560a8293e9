/** What a hub is asked. */
interface WatchRequest {
  type: 'watch-changes' | 'unwatch-changes';
  session: string;
}

/** Those who hear when the files of a session's folder change. */
export class ChangesWatches {
  readonly #ask: (request: WatchRequest) => void;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(ask: (request: WatchRequest) => void) {
    this.#ask = ask;
  }

  add(session: string, onChange: () => void): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners);
    const listener = (): void => onChange();
    listeners.add(listener);
    if (listeners.size === 1) this.#ask({ type: 'watch-changes', session });
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(session) !== listeners) return;
      this.#listeners.delete(session);
      this.#ask({ type: 'unwatch-changes', session });
    };
  }

  hear(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) listener();
  }

  /** A connection is open. What changed before it was is told once the hub watches. */
  catchUp(): void {
    for (const session of this.#listeners.keys()) this.#ask({ type: 'watch-changes', session });
  }
}
