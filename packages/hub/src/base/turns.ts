/** How long those who have much to do may work in one turn of the event loop, all together. */
export const TURN_MS = 8;

/**
 * Shares the event loop among those who have much to do: each works until the turn is over and then waits in line, so
 * that whoever has little to do is never kept waiting for longer than a turn.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #state: 'idle' | 'planned' | 'running' = 'idle';
  #startMs = 0;

  /** True when enough was done in this turn. The first who asks begins it. */
  get isOver(): boolean {
    if (this.#state !== 'running') this.#begin();
    return performance.now() - this.#startMs > TURN_MS;
  }

  /** Settles when it is one's turn again. */
  rest(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go);
      this.#plan();
    });
  }

  #begin(): void {
    this.#plan();
    this.#state = 'running';
    this.#startMs = performance.now();
  }

  #plan(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'planned';
    setImmediate(() => this.#next());
  }

  /** One at a time: whoever goes on may use the whole turn. */
  #next(): void {
    this.#state = 'idle';
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#plan();
  }
}

/** Of this process, which has one event loop. */
export const turns = new Turns();
