import type { Session } from 'signalbox/hub';

/** The sessions of a hub, from its list and from what it tells meanwhile, which is newer. */
export class KnownSessions {
  readonly #sessions = new Map<string, Session>();
  /** When each was last told of, one that was removed too. */
  readonly #told = new Map<string, number>();
  #time = 0;

  get all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Whatever its times say: the hub's clock may have been set back. */
  put(session: Session): void {
    this.#note(session.id);
    this.#sessions.set(session.id, session);
  }

  putNew(session: Session): void {
    if (!this.#sessions.has(session.id)) this.put(session);
  }

  forget(id: string): void {
    this.#note(id);
    this.#sessions.delete(id);
  }

  /**
   * Take the whole list; each page is told as it comes. While its pages are read one may move to a page that was read before: it is no less there, if something
   * was told of it.
   */
  async read(pages: AsyncIterable<Session[]>, onPage: () => void = () => {}): Promise<void> {
    const begun = this.#time;
    const listed = new Set<string>();
    const isToldSince = (id: string): boolean => (this.#told.get(id) ?? 0) > begun;
    for await (const page of pages) {
      for (const session of page) {
        listed.add(session.id);
        if (!isToldSince(session.id) && !this.#sessions.has(session.id))
          this.#sessions.set(session.id, session);
      }
      onPage();
    }
    for (const id of this.#sessions.keys())
      if (!listed.has(id) && !isToldSince(id)) this.#sessions.delete(id);
  }

  #note(id: string): void {
    this.#time += 1;
    this.#told.set(id, this.#time);
  }
}
