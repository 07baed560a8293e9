import type { CanUseToolRequest, OutboundPermissionResult } from '@signalbox/protocol';
import type { Key } from '../terminal/key-decoder.ts';
import { type Answer, type Ask, REFUSED_AND_STOPPED } from './ask.ts';
import { openAsk } from './open-ask.ts';

interface Waiting {
  ask: Ask;
  settle: (answer: Answer) => void;
}

/**
 * The questions of an agent, answered one after the other. How many there can be is limited where they come in: a
 * control peer refuses past `MAX_REQUESTS_IN_WORK`.
 */
export class AskQueue {
  readonly #onChange: () => void;
  readonly #onAnswer: (answer: Answer) => void;
  #waiting: readonly Waiting[] = [];

  constructor(onChange: () => void, onAnswer: (answer: Answer) => void) {
    this.#onChange = onChange;
    this.#onAnswer = onAnswer;
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
          this.#onChange();
        },
      };
      signal.addEventListener('abort', () => waiting.settle(REFUSED_AND_STOPPED), { once: true });
      this.#waiting = [...this.#waiting, waiting];
      this.#onChange();
    });
  }

  onKey(key: Key): void {
    const [first] = this.#waiting;
    const answer = first?.ask.onKey(key);
    if (!first || !answer) return;
    first.settle(answer);
    this.#onAnswer(answer);
    const { result } = answer;
    // Whoever stops the turn has nothing more to say to its other questions.
    if (result.behavior === 'deny' && result.interrupt)
      for (const { settle } of this.#waiting) settle(answer);
  }
}
