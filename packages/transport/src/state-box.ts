import type { TransportState } from './transport.ts';

/** A transport's state and those who watch it. `closing` leads to `closed` only, and nothing leaves `closed`. */
export class StateBox {
  #state: TransportState;
  #unreported: TransportState[] = [];
  readonly #watchers = new Set<{ listener: (state: TransportState) => void }>();

  constructor(initial: TransportState) {
    this.#state = initial;
  }

  get current(): TransportState {
    return this.#state;
  }

  /** True while lines may still be sent. */
  get isOpen(): boolean {
    return this.#state !== 'closing' && this.#state !== 'closed';
  }

  set(state: TransportState): void {
    if (this.#state === state || (!this.isOpen && state !== 'closed')) return;
    this.#state = state;
    this.#unreported.push(state);
    // A listener changed the state: everyone hears of the change before first.
    if (this.#unreported.length > 1) return;
    while (this.#unreported[0]) {
      this.#report(this.#unreported[0]);
      this.#unreported.shift();
    }
  }

  watch(listener: (state: TransportState) => void): () => void {
    const watcher = { listener };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #report(state: TransportState): void {
    for (const watcher of Array.from(this.#watchers)) {
      if (!this.#watchers.has(watcher)) continue;
      try {
        watcher.listener(state);
      } catch (error) {
        // Thrown here it would leave the transport half closed.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
