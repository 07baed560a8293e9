import { LIMITS } from '@signalbox/protocol';
import { SignInLimitError } from './auth-errors.ts';

const WINDOW_MS = 60_000;

/** How many addresses are remembered; when there are more, all wait. */
const MAX_ADDRESSES = 10_000;

/** Slows down whoever tries links. */
export class SignInLimit {
  readonly #failures = new Map<string, number[]>();

  /** Whoever begins has failed until they {@link succeed}: many who begin at once must not all get through. Raises `SIGN_IN_LIMIT`. */
  begin(address: string): void {
    this.#forget();
    const failures = this.#failures.get(address) ?? [];
    const isFull = this.#failures.size >= MAX_ADDRESSES && failures.length === 0;
    if (failures.length >= LIMITS.failedSignIns.most || isFull) {
      const freeAt = (failures[0] ?? Date.now()) + WINDOW_MS;
      throw new SignInLimitError(Math.max(1, Math.ceil((freeAt - Date.now()) / 1000)));
    }
    this.#failures.set(address, [...failures, Date.now()]);
  }

  succeed(address: string): void {
    this.#failures.get(address)?.pop();
  }

  #forget(): void {
    const since = Date.now() - WINDOW_MS;
    for (const [address, failures] of this.#failures) {
      const recent = failures.filter((time) => time > since);
      if (recent.length === 0) this.#failures.delete(address);
      else this.#failures.set(address, recent);
    }
  }
}
