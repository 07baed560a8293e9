import { LIMITS } from '@signalbox/protocol';
import { SignInLimitError } from './auth-errors.ts';

const WINDOW_MS = 60_000;

/** How many addresses are remembered; when there are more, all wait. */
const MAX_ADDRESSES = 10_000;

/** Slows down whoever tries links. Times are those of a watch: a clock that is set must not make anybody wait for days. */
export class SignInLimit {
  readonly #failures = new Map<string, number[]>();

  /** A link was wrong. Raises `SIGN_IN_LIMIT` when this was once too often. */
  fail(address: string): void {
    const now = performance.now();
    this.#forget(now - WINDOW_MS);
    const failures = this.#failures.get(address) ?? [];
    const isFull = this.#failures.size >= MAX_ADDRESSES && failures.length === 0;
    if (failures.length >= LIMITS.failedSignIns.most || isFull) {
      const freeAt = (failures[0] ?? now) + WINDOW_MS;
      throw new SignInLimitError(Math.max(1, Math.ceil((freeAt - now) / 1000)));
    }
    this.#failures.set(address, [...failures, now]);
  }

  #forget(since: number): void {
    for (const [address, failures] of this.#failures) {
      const recent = failures.filter((time) => time > since);
      if (recent.length === 0) this.#failures.delete(address);
      else this.#failures.set(address, recent);
    }
  }
}
