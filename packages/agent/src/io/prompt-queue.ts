import type { PromptMessage } from '@signalbox/protocol';

/** Prompts that wait for their turn, each taken once however often its uuid arrives. */
export class PromptQueue {
  readonly #waiting: PromptMessage[] = [];
  readonly #seen: Set<string>;
  #ended = false;
  #wake: () => void = () => {};

  /** `answered` were taken in an earlier run of the session. */
  constructor(answered: Iterable<string> = []) {
    this.#seen = new Set(answered);
  }

  /** False when a prompt with this uuid was taken before. */
  add(prompt: PromptMessage): boolean {
    if (typeof prompt.uuid === 'string') {
      if (this.#seen.has(prompt.uuid)) return false;
      this.#seen.add(prompt.uuid);
    }
    this.#waiting.push(prompt);
    this.#wake();
    return true;
  }

  /** The uuids of the prompts that wait, oldest first. */
  waitingIds(): string[] {
    return this.#waiting.flatMap(({ uuid }) => uuid ?? []);
  }

  /** Take a prompt back before its turn; false when it is not waiting. */
  cancel(uuid: string): boolean {
    const at = this.#waiting.findIndex((prompt) => prompt.uuid === uuid);
    if (at !== -1) this.#waiting.splice(at, 1);
    return at !== -1;
  }

  /** Take all that wait back; returns their uuids. */
  cancelAll(): string[] {
    const ids = this.waitingIds();
    this.#waiting.length = 0;
    return ids;
  }

  /** No more prompts will come; those that wait are still handed out. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The next prompt, when there is one; undefined after the last, and when none came for so long. */
  async next(patienceMs?: number): Promise<PromptMessage | undefined> {
    while (this.#waiting.length === 0 && !this.#ended) {
      const isIdle = await new Promise<boolean>((resolve) => {
        const timer = patienceMs === undefined ? undefined : setTimeout(() => resolve(true), patienceMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      if (isIdle) return undefined;
    }
    return this.#waiting.shift();
  }
}
