/** While agents work, what changes with them is told no more often than this. */
const SOON_MS = 10_000;

/** Tells those who read something of the hub once that it may be another by now. */
export class News {
  readonly #listeners = new Set<() => void>();
  readonly #soonMs: number;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(soonMs = SOON_MS) {
    this.#soonMs = soonMs;
  }

  /** Returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Anything may have changed unheard, as during a break. */
  tell(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    for (const listener of this.#listeners) listener();
  }

  /** Some session has changed, and others may before long. */
  tellSoon(): void {
    this.#soon ??= setTimeout(() => this.tell(), this.#soonMs);
  }
}
