import type { CanUseToolRequest, OutboundPermissionResult } from '@signalbox/protocol';
import type { Key } from '../terminal/key-decoder.ts';
import { type Answer, type Ask, REFUSED_AND_STOPPED } from './ask.ts';
import { openAsk } from './open-ask.ts';

/** Who hears of the questions. */
export interface AskListener {
  onChange(): void;
  onAnswer(answer: Answer): void;
  /** A question is gone that somebody was typing an answer to. */
  onTakenBack(typed: string): void;
}

interface Waiting {
  ask: Ask;
  settle: (answer: Answer) => void;
}

/**
 * The questions of an agent, answered one after the other. How many there can be is limited where they come in: a
 * control peer refuses past `LIMITS.requestsInWork`.
 */
export class AskQueue {
  readonly #listener: AskListener;
  #waiting: readonly Waiting[] = [];

  constructor(listener: AskListener) {
    this.#listener = listener;
  }

  /** The question that is on the screen. */
  get first(): Ask | undefined {
    return this.#waiting[0]?.ask;
  }

  /** How many more are behind it. */
  get behind(): number {
    return Math.max(0, this.#waiting.length - 1);
  }

  /** Resolves with the person's answer; a question that is taken back closes. */
  add(request: CanUseToolRequest, cwd: string, signal: AbortSignal): Promise<OutboundPermissionResult> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        ask: openAsk(request, cwd),
        settle: ({ result }) => {
          this.#waiting = this.#waiting.filter((other) => other !== waiting);
          resolve(result);
          this.#listener.onChange();
        },
      };
      signal.addEventListener('abort', () => this.#takeBack(waiting), { once: true });
      this.#waiting = [...this.#waiting, waiting];
      this.#listener.onChange();
    });
  }

  #takeBack(waiting: Waiting): void {
    // One that was answered is taken back by nobody.
    if (!this.#waiting.includes(waiting)) return;
    const typed = waiting.ask.typed();
    waiting.settle(REFUSED_AND_STOPPED);
    if (typed) this.#listener.onTakenBack(typed);
  }

  onKey(key: Key): void {
    const [first] = this.#waiting;
    const answer = first?.ask.onKey(key);
    if (!first || !answer) return;
    first.settle(answer);
    this.#listener.onAnswer(answer);
    const { result } = answer;
    // Whoever stops the turn has nothing more to say to its other questions.
    if (result.behavior === 'deny' && result.interrupt)
      for (const { settle } of this.#waiting) settle(answer);
  }
}
