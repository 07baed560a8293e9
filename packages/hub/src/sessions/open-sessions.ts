import { Holds } from '../base/holds.ts';
import type { LiveSession } from './live-session.ts';

/** How many sessions that nobody uses stay open: whoever comes back soon need not read their records again. */
export const MAX_RESTING_SESSIONS = 64;

interface OpenSession {
  opening: Promise<LiveSession>;
  /** Undefined while it is being opened. */
  live: LiveSession | undefined;
  holds: Holds;
}

/** The sessions that are open: each once, as long as somebody holds it, and the last ones that somebody did. */
export class OpenSessions {
  readonly #open: (id: string, holds: Holds) => Promise<LiveSession>;
  readonly #sessions = new Map<string, OpenSession>();
  /** Those that nobody holds, the one that was used last at the end. */
  readonly #resting = new Map<string, OpenSession>();

  constructor(open: (id: string, holds: Holds) => Promise<LiveSession>) {
    this.#open = open;
  }

  /** Those that are open at this moment. */
  get all(): LiveSession[] {
    return [...this.#sessions.values()].flatMap(({ live }) => live ?? []);
  }

  /** One that is open at this moment. */
  get(id: string): LiveSession | undefined {
    return this.#sessions.get(id)?.live;
  }

  /** Hold a session until `work` settles. */
  async use<Result>(id: string, work: (live: LiveSession) => Promise<Result> | Result): Promise<Result> {
    const { opening, holds } = this.#sessions.get(id) ?? this.#begin(id);
    this.#resting.delete(id);
    // Before it is waited for: nobody can let go of it in between.
    const release = holds.take();
    try {
      return await work(await opening);
    } finally {
      release();
    }
  }

  /** The session is no more. Who still holds it has what is left of it; another one may get its name. */
  forget(id: string): void {
    this.#sessions.delete(id);
    this.#resting.delete(id);
  }

  /** Settles when none is being opened. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map(({ opening }) => opening));
  }

  #begin(id: string): OpenSession {
    const holds = new Holds(id, () => this.#rest(id, session));
    const opening = this.#open(id, holds);
    const session: OpenSession = { opening, live: undefined, holds };
    this.#sessions.set(id, session);
    opening.then(
      (live) => {
        session.live = live;
      },
      // An id that nobody has must be asked for again next time.
      () => {
        if (this.#sessions.get(id) === session) this.forget(id);
      },
    );
    return session;
  }

  #rest(id: string, session: OpenSession): void {
    if (this.#sessions.get(id) !== session) return;
    // What its record cannot go on with, it may when it is opened again.
    if (session.live?.hasFailed) return this.#close(id, session);
    this.#resting.set(id, session);
    for (const [oldest, resting] of this.#resting) {
      if (this.#resting.size <= MAX_RESTING_SESSIONS) return;
      this.#close(oldest, resting);
    }
  }

  #close(id: string, { holds }: OpenSession): void {
    holds.close();
    this.forget(id);
  }
}
