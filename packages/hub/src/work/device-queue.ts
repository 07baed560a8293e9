/** Does one thing after the other for each device, and lets devices not wait for each other. */
export class DeviceQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(device: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(device) ?? Promise.resolve()).then(work);
    // The next one waits for this one, and does not fail with it.
    const settled = result.catch(() => {});
    this.#last.set(device, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(device) === settled) this.#last.delete(device);
    }
  }
}
