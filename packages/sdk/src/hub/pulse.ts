/** How long nothing may come before the hub is asked for a sign of life, and how long that may take. */
const QUIET_MS = 20_000;
const ANSWER_MS = 10_000;

/** What a {@link Pulse} needs of its connection. */
export interface PulseParts {
  /** Ask the other side for anything at all. */
  ask: () => void;
  /** Nothing came. */
  onDead: () => void;
  quietMs?: number | undefined;
  answerMs?: number | undefined;
}

/** Finds out that a connection is dead although nobody has closed it, as after a sleep of the machine. */
export class Pulse {
  readonly #parts: PulseParts;
  #quiet: ReturnType<typeof setInterval> | undefined;
  #dying: ReturnType<typeof setTimeout> | undefined;
  #hasHeard = false;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  start(): void {
    this.stop();
    this.#hasHeard = true;
    this.#quiet = setInterval(() => {
      if (!this.#hasHeard && this.#dying === undefined) this.check();
      this.#hasHeard = false;
    }, this.#parts.quietMs ?? QUIET_MS);
  }

  stop(): void {
    clearInterval(this.#quiet);
    this.heard();
  }

  /** Whatever came, the other side is alive. */
  heard(): void {
    this.#hasHeard = true;
    if (this.#dying === undefined) return;
    clearTimeout(this.#dying);
    this.#dying = undefined;
  }

  /** Look now, and wait for an answer no longer than this. */
  check(answerMs = this.#parts.answerMs ?? ANSWER_MS): void {
    // A look that is under way may have a longer limit, or have been sent into a network that is gone.
    clearTimeout(this.#dying);
    this.#dying = setTimeout(() => {
      this.stop();
      this.#parts.onDead();
    }, answerMs);
    this.#parts.ask();
  }
}
