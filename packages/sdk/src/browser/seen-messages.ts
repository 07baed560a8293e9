/** Ids of messages that are remembered; a peer that repeats more than this after a break is taken at its word. */
const REMEMBERED_IDS = 2000;

/** Knows what a connection repeats of those before it. */
export class SeenMessages {
  /** The connection that each id came with last, oldest first. */
  readonly #ids = new Map<unknown, number>();
  #connection = 0;

  newConnection(): void {
    this.#connection += 1;
  }

  /** Whether this message came with an earlier connection. Within one, nothing is a repetition. */
  isRepetition(id: unknown): boolean {
    if (typeof id !== 'string') return false;
    const seenWith = this.#ids.get(id);
    this.#ids.delete(id);
    this.#ids.set(id, this.#connection);
    if (this.#ids.size > REMEMBERED_IDS) this.#ids.delete(this.#ids.keys().next().value);
    return seenWith !== undefined && seenWith < this.#connection;
  }
}
