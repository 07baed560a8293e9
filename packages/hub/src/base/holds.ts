/** Says who needs a session in use, and when nobody does any more. */
export class Holds {
  readonly #session: string;
  readonly #onFree: () => void;
  #count = 0;
  #state: 'open' | 'closed' = 'open';

  constructor(session: string, onFree: () => void) {
    this.#session = session;
    this.#onFree = onFree;
  }

  get isHeld(): boolean {
    return this.#count > 0;
  }

  /** Hold the session until the returned function is called, once or more often. */
  take(): () => void {
    // Whoever is here kept a session without holding it: there may be another object of the same session by now.
    if (this.#state === 'closed') throw new Error(`Session ${this.#session} was let go of, and is used.`);
    this.#count += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#count -= 1;
      if (this.#count === 0) this.#onFree();
    };
  }

  /** Hold the session until this settles. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    const release = this.take();
    try {
      return await work;
    } finally {
      release();
    }
  }

  /** The session is let go of. */
  close(): void {
    this.#state = 'closed';
  }
}
