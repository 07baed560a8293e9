/** Does one thing after the other for each key, such as a device, and lets keys not wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    // The next one waits for this one, and does not fail with it.
    const settled = result.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
