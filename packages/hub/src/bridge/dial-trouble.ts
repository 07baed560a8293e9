import { messageOf } from '@signalbox/protocol';
import { ConnectionLostError, isFinalStatus } from '@signalbox/transport';
import { RedeliveryError } from './bridge-errors.ts';

/** How long a hub may refuse a bridge: then nobody sees what its agent does, nor could stop it. */
export const REFUSED_PATIENCE_MS = 10 * 60_000;

const GOES_ON = 'The agent goes on; what it says is kept until the hub has it.';

/** What {@link DialTrouble} tells. */
export interface DialTroubleOptions {
  onTrouble: (text: string) => void;
  onRefused: () => void;
  refusedPatienceMs?: number | undefined;
}

/** Why a hub is not reached. A reason is told once: a hub that is away for a day must not fill a log with it. */
export class DialTrouble {
  readonly #options: DialTroubleOptions;
  #told: string | undefined;
  #refusedSince: number | undefined;

  constructor(options: DialTroubleOptions) {
    this.#options = options;
  }

  add(error: unknown): void {
    const text = messageOf(error);
    const isNew = this.#told === undefined;
    if (text !== this.#told) this.#options.onTrouble(isNew ? `${text} ${GOES_ON}` : text);
    this.#told = text;
    if (isRefusal(error)) this.#refused();
  }

  /** The hub is reached. */
  over(): void {
    if (this.#told !== undefined) this.#options.onTrouble('The hub is reached again.');
    this.#told = undefined;
    this.#refusedSince = undefined;
  }

  #refused(): void {
    const { refusedPatienceMs = REFUSED_PATIENCE_MS, onRefused } = this.#options;
    this.#refusedSince ??= performance.now();
    if (performance.now() - this.#refusedSince > refusedPatienceMs) onRefused();
  }
}

function isRefusal(error: unknown): boolean {
  const isAnswer = error instanceof ConnectionLostError || error instanceof RedeliveryError;
  return isAnswer && error.status !== undefined && isFinalStatus(error.status);
}
