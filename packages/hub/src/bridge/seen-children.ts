import { withDescendants } from '@signalbox/transport/stdio';
import { isRunning, livingProcesses, type ProcessIdentity } from './running-process.ts';

/** How often an agent's tree is looked at while it talks, and how small a part of the time that may take. */
const LOOK_EVERY_MS = 1000;
const LOOK_SHARE = 0.01;

/**
 * What was seen below an agent while it lived. One that leaves its process group and clears its environment can be found by
 * neither when its parent is gone; one that was seen before can.
 */
export class SeenChildren {
  readonly #root: number;
  #seen: ProcessIdentity[] = [];
  #nextLookMs = 0;

  constructor(root: number) {
    this.#root = root;
  }

  /** Look again, if the last look is some time ago. */
  lookNowAndThen(): void {
    if (performance.now() >= this.#nextLookMs) this.look();
  }

  look(): void {
    const startMs = performance.now();
    const stats = livingProcesses();
    const tree = withDescendants([this.#root, ...this.living], stats);
    tree.delete(this.#root);
    this.#seen = [...tree].flatMap((pid) => {
      const startTime = stats.get(pid)?.startTime;
      return startTime === undefined ? [] : { pid, startTime };
    });
    const tookMs = performance.now() - startMs;
    this.#nextLookMs = startMs + Math.max(LOOK_EVERY_MS, tookMs / LOOK_SHARE);
  }

  /** Those that still run. */
  get living(): number[] {
    return this.#seen.filter(isRunning).map(({ pid }) => pid);
  }
}
