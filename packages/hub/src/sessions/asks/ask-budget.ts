import { LIMITS } from '@signalbox/protocol';

/** How many bytes the questions have that wait for people, of every session: those that nobody uses included. */
export class AskBudget {
  readonly #bytes = new Map<string, number>();
  #total = 0;

  /** What a session's open questions have from now on. */
  set(session: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(session) ?? 0);
    if (bytes === 0) this.#bytes.delete(session);
    else this.#bytes.set(session, bytes);
  }

  /** Whether a session may ask something of this length beside what it asks already. */
  hasRoom(session: string, bytes: number): boolean {
    const ofSession = this.#bytes.get(session) ?? 0;
    return ofSession + bytes <= LIMITS.sessionAskBytes.most && this.#total + bytes <= LIMITS.allAskBytes.most;
  }
}
