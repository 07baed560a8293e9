import type { Author } from '@signalbox/protocol/hub';
import type { Log } from '../base/log.ts';
import type { Effect, ResultsOf } from '../store/commit.ts';
import type { Store } from '../store/store.ts';

/** Something that somebody has decided. */
export interface Decided {
  what: string;
  session: string | null;
  subject?: string | null;
  /** The subject is words of the person: they are for the audit log, and not for the hub's. */
  isPrivate?: boolean;
}

/** The entry of the audit log, to be stored with what was decided. */
export function auditEntry(author: Author, { what, session, subject = null }: Decided): Effect {
  return { kind: 'audit', decision: { session, subject, author, what, why: null } };
}

/** Keeps what was decided in the audit log, and tells the log of the hub. */
export class Decisions {
  readonly #store: Store;
  readonly #log: Log;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Store effects and the audit entry in one commit: a disk that is full refuses both. */
  async keep<const Effects extends readonly Effect[] = readonly []>(
    author: Author,
    decided: Decided,
    ...effects: Effects
  ): Promise<ResultsOf<Effects>> {
    // The entry comes last: an effect that is refused is refused before anything was written.
    const { results } = await this.#store.commit<readonly Effect[]>({
      effects: [...effects, auditEntry(author, decided)],
    });
    this.tell(author, decided);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the results of the effects come first
    return results.slice(0, effects.length) as ResultsOf<Effects>;
  }

  /** For what was kept in the audit log with the change itself. */
  tell(author: Author, { what, session, subject = null, isPrivate = false }: Decided): void {
    this.#log.decision(author, { what, session, subject: isPrivate ? null : subject });
  }
}
