import type { Entry } from '../record.ts';

/** Beyond so many, damaged entries are neither counted nor told of. */
export const MAX_KNOWN_DAMAGED = 10_000;

/** The damaged entries that readers came upon, each once. */
export class DamagedEntries {
  readonly #known = new Set<string>();
  readonly #listeners = new Set<(session: string, seq: number) => void>();

  get count(): number {
    return this.#known.size;
  }

  /** Returns the way to stop it. */
  listen(listener: (session: string, seq: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  lookAt(session: string, entries: readonly Entry[]): void {
    for (const { kind, seq } of entries) if (kind === 'damaged') this.#add(session, seq);
  }

  #add(session: string, seq: number): void {
    const name = `${seq} ${session}`;
    if (this.#known.has(name) || this.#known.size >= MAX_KNOWN_DAMAGED) return;
    this.#known.add(name);
    for (const listener of this.#listeners) listener(session, seq);
  }
}
