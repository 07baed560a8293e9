import type { Ask } from './ask.ts';

/** How long a question that has just appeared takes no key: longer than a doubled key, or one on its way. */
const FRESH_MS = 600;
/** How long it takes none after one that came too early: longer than a key that is held down needs to repeat. */
const REPEAT_MS = 300;

/** Keeps keys from a question that were meant for what was on the screen before it. */
export class FreshAsk {
  #drawn: { ask: Ask; step: number; readyAt: number } | undefined;

  /** This question, or none, is drawn. Returns whether it still rests. */
  drawn(ask: Ask | undefined, now: number): boolean {
    if (!ask) this.#drawn = undefined;
    else if (!this.#isDrawn(ask)) this.#drawn = { ask, step: ask.step, readyAt: now + FRESH_MS };
    return this.#drawn !== undefined && now < this.#drawn.readyAt;
  }

  /** Whether a key that is pressed now is for this question. */
  takesKey(ask: Ask, now: number): boolean {
    if (!this.#drawn || !this.#isDrawn(ask)) return false;
    if (now >= this.#drawn.readyAt) return true;
    this.#drawn.readyAt = Math.max(this.#drawn.readyAt, now + REPEAT_MS);
    return false;
  }

  #isDrawn(ask: Ask): boolean {
    return this.#drawn?.ask === ask && this.#drawn.step === ask.step;
  }
}
