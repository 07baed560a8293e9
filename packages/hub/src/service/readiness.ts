import { SignalboxError } from '@signalbox/protocol';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Store } from '../store/store.ts';

/** How long what was found holds: those who ask all the time must not keep the disk busy. */
const FRESH_MS = 1000;

/** Whether the hub can take what agents and people say. */
export class Readiness {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  #last: { at: number; problem: Promise<string | undefined> } | undefined;

  constructor(store: Store, sessions: LiveSessions) {
    this.#store = store;
    this.#sessions = sessions;
  }

  /** Why not, as a code of docs/ERRORS.md: the message may name what is not for everybody. Undefined when it can. */
  problem(): Promise<string | undefined> {
    const at = Date.now();
    if (!this.#last || at - this.#last.at >= FRESH_MS) this.#last = { at, problem: this.#look() };
    return this.#last.problem;
  }

  async #look(): Promise<string | undefined> {
    // A line that does not fit may be longer than what is tried here.
    for (const { trouble } of this.#sessions.all) if (trouble) return trouble.code;
    try {
      await this.#store.disk.probe();
      return undefined;
    } catch (error) {
      return error instanceof SignalboxError ? error.code : 'UNEXPECTED';
    }
  }
}
