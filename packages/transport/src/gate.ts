const OPEN: Promise<void> = Promise.resolve();

/** What a writer waits at while its reader is behind. All who wait pass together when it opens. */
export class Gate {
  #waiting: Promise<void> | undefined;
  #pass: () => void = () => {};
  #refuse: (error: unknown) => void = () => {};

  get isShut(): boolean {
    return this.#waiting !== undefined;
  }

  /** Settled while the gate is open, so that awaiting it costs next to nothing. */
  passage(): Promise<void> {
    return this.#waiting ?? OPEN;
  }

  shut(): void {
    if (this.#waiting) return;
    this.#waiting = unwatched(
      new Promise((pass, refuse) => {
        this.#pass = pass;
        this.#refuse = refuse;
      }),
    );
  }

  open(): void {
    this.#waiting = undefined;
    this.#pass();
  }

  /** Those who wait are refused; those who come later find the gate open. */
  refuse(error: unknown): void {
    this.#waiting = undefined;
    this.#refuse(error);
  }
}

/** What a `send` that cannot be taken returns. */
export function refused(error: unknown): Promise<never> {
  return unwatched(Promise.reject(error));
}

/** Someone who sent without awaiting must not turn a closed transport into an unhandled rejection. */
function unwatched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
