import type { Session } from '@signalbox/protocol/hub';
import { type HubAddress, HubApi } from './hub-api.ts';

/** Hears of sessions that are new or change, and of those that are no more. */
export interface SessionsListener {
  onSession: (session: Session) => void;
  onRemoved?: ((id: string) => void) | undefined;
}

/** Those who hear of changes of all sessions. */
export class SessionsWatch {
  readonly #api: HubApi;
  readonly #listeners = new Set<SessionsListener>();
  /** Those that the hub told of while its list is read. */
  #toldMeanwhile: Set<string> | undefined;
  #state: 'new' | 'opened' = 'new';

  constructor(address: HubAddress) {
    this.#api = new HubApi(address);
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: SessionsListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(session: Session): void {
    this.#toldMeanwhile?.add(session.id);
    this.#tell(session);
  }

  removed(id: string): void {
    this.#toldMeanwhile?.add(id);
    for (const { onRemoved } of this.#listeners) onRemoved?.(id);
  }

  /** A connection is open. The hub tells changes as they happen and no others: what a break hid is read from its list. */
  catchUp(): void {
    const hadBreak = this.#state === 'opened';
    this.#state = 'opened';
    if (!hadBreak || this.isIdle) return;
    // Another break, or the session's next change, makes up for a list that cannot be read.
    this.#tellAll().catch(() => {});
  }

  /** What the hub tells meanwhile is newer than its list. */
  async #tellAll(): Promise<void> {
    const told = new Set<string>();
    this.#toldMeanwhile = told;
    try {
      let after: string | undefined;
      do {
        const page = await this.#api.sessions(after === undefined ? {} : { after });
        // After another break, another list is the newer one.
        if (this.#toldMeanwhile !== told) return;
        for (const session of page.items) if (!told.has(session.id)) this.#tell(session);
        after = page.next;
      } while (after !== undefined);
    } finally {
      if (this.#toldMeanwhile === told) this.#toldMeanwhile = undefined;
    }
  }

  #tell(session: Session): void {
    for (const { onSession } of this.#listeners) onSession(session);
  }
}
