import { SignalboxError } from '@signalbox/protocol';
import { settledWithin } from '@signalbox/transport';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Store } from '../store/store.ts';
import { StoreStuckError } from '../store/store-errors.ts';

/** How long what was found holds: those who ask all the time must not keep the disk busy. */
const FRESH_MS = 1000;

/** After so long a store that has not answered is stuck, and who asks is told so at once. */
const STUCK_MS = 5000;

interface Look {
  since: number;
  problem: Promise<string | undefined>;
  /** When it was over; undefined while the store has not answered. */
  endedAt?: number;
}

/** Whether the hub can take what agents and people say. */
export class Readiness {
  readonly #store: Pick<Store, 'disk'>;
  readonly #sessions: Pick<LiveSessions, 'all'>;
  readonly #stuckMs: number;
  #last: Look | undefined;

  constructor(store: Pick<Store, 'disk'>, sessions: Pick<LiveSessions, 'all'>, stuckMs = STUCK_MS) {
    this.#store = store;
    this.#sessions = sessions;
    this.#stuckMs = stuckMs;
  }

  /** Why not, as a code of docs/ERRORS.md: the message may name what is not for everybody. Undefined when it can. */
  async problem(): Promise<string | undefined> {
    const { since, problem } = this.#look();
    const isAnswered = await settledWithin(problem, Math.max(0, since + this.#stuckMs - Date.now()));
    return isAnswered ? problem : new StoreStuckError(this.#stuckMs).code;
  }

  /** One at a time: a store that does not answer must not collect questions. */
  #look(): Look {
    const now = Date.now();
    const last = this.#last;
    if (last && (last.endedAt === undefined || now - last.endedAt < FRESH_MS)) return last;
    const look: Look = { since: now, problem: this.#find() };
    void look.problem.then(() => (look.endedAt = Date.now()));
    this.#last = look;
    return look;
  }

  async #find(): Promise<string | undefined> {
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
