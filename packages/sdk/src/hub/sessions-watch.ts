import type { Session } from '@signalbox/protocol/hub';
import { type HubAddress, HubApi } from './hub-api.ts';

/** Those who hear of changes of all sessions. */
export class SessionsWatch {
  readonly #api: HubApi;
  readonly #listeners = new Set<(session: Session) => void>();
  /** When the last change was that was told. */
  #newest = 0;
  #state: 'new' | 'opened' = 'new';

  constructor(address: HubAddress) {
    this.#api = new HubApi(address);
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(session: Session): void {
    this.#newest = Math.max(this.#newest, session.updatedAt);
    for (const listener of this.#listeners) listener(session);
  }

  /** A connection is open. The hub tells changes as they happen and no others: what a break hid is read from its list. */
  catchUp(): void {
    const hadBreak = this.#state === 'opened';
    this.#state = 'opened';
    if (!hadBreak || this.isIdle) return;
    // Another break, or the session's next change, makes up for a list that cannot be read.
    this.#tellSince(this.#newest).catch(() => {});
  }

  async #tellSince(time: number): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.#api.sessions(after === undefined ? {} : { after });
      for (const session of page.items) if (session.updatedAt >= time) this.hear(session);
      after = page.next;
    } while (after !== undefined);
  }
}
