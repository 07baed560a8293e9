import { LIMITS } from '@signalbox/protocol';

/**
 * How many gits run at once: so many in one folder, so many in all. Folders take turns, so that one in which git hangs, or about
 * which somebody asks without end, holds up nobody else.
 */
export class GitSlots {
  readonly #most: number;
  readonly #mostInFolder: number;
  /** Folders in the order of their turns, with who waits there. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Map<string, number>();
  #count = 0;

  constructor(
    most: number = LIMITS.gitProcesses.most,
    mostInFolder: number = LIMITS.gitProcessesInFolder.most,
  ) {
    this.#most = most;
    this.#mostInFolder = mostInFolder;
  }

  /** Settles when git may run in a folder, with the way to say that it has ended. */
  async take(folder: string): Promise<() => void> {
    if (!this.#isFree(folder) || this.#waiting.has(folder))
      await new Promise<void>((resolve) => {
        const queue = this.#waiting.get(folder) ?? [];
        queue.push(resolve);
        this.#waiting.set(folder, queue);
      });
    else this.#add(folder, 1);
    return () => {
      this.#add(folder, -1);
      this.#next();
    };
  }

  #isFree(folder: string): boolean {
    return this.#count < this.#most && (this.#running.get(folder) ?? 0) < this.#mostInFolder;
  }

  #next(): void {
    for (const [folder, queue] of this.#waiting) {
      if (!this.#isFree(folder)) continue;
      this.#waiting.delete(folder);
      const [first, ...rest] = queue;
      // To the end of the line: the others come first.
      if (rest.length > 0) this.#waiting.set(folder, rest);
      this.#add(folder, 1);
      first?.();
      return;
    }
  }

  #add(folder: string, count: 1 | -1): void {
    this.#count += count;
    const left = (this.#running.get(folder) ?? 0) + count;
    if (left === 0) this.#running.delete(folder);
    else this.#running.set(folder, left);
  }
}
