import type { Session } from 'signalbox/hub';

/** The sessions of a hub, from its list and from what it tells meanwhile, which is newer. */
export class KnownSessions {
  readonly #sessions = new Map<string, Session>();
  /** When each was last told of, one that was removed too. */
  readonly #told = new Map<string, number>();
  /** Those that only this browser has told of, from an earlier time. */
  readonly #recalled = new Set<string>();
  #time = 0;
  #reads = 0;

  get all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Whatever its times say: the hub's clock may have been set back. */
  put(session: Session): void {
    this.#note(session.id);
    this.#set(session);
  }

  putNew(session: Session): void {
    if (!this.#isKnown(session.id)) this.put(session);
  }

  /** One as this browser kept it: what the hub tells of it, whenever that was, takes its place. */
  recall(session: Session): void {
    if (this.#sessions.has(session.id)) return;
    this.#sessions.set(session.id, session);
    this.#recalled.add(session.id);
  }

  forget(id: string): void {
    this.#note(id);
    this.#sessions.delete(id);
    this.#recalled.delete(id);
  }

  clear(): void {
    this.#sessions.clear();
    this.#recalled.clear();
  }

  /**
   * Take the whole list; each page is told as it comes. What was told since it was asked for is newer, and what was known before
   * is older: a break may have kept any change from being told. While its pages are read a session may move to a page that was
   * read before: it is no less there, if something was told of it. False when a later read has begun meanwhile, which takes its place.
   */
  async read(pages: AsyncIterable<Session[]>, onPage: () => void = () => {}): Promise<boolean> {
    this.#reads += 1;
    const own = this.#reads;
    const begun = this.#time;
    const listed = new Set<string>();
    const isToldSince = (id: string): boolean => (this.#told.get(id) ?? 0) > begun;
    for await (const page of pages) {
      if (own !== this.#reads) return false;
      for (const session of page) {
        listed.add(session.id);
        if (!isToldSince(session.id)) this.#set(session);
      }
      onPage();
    }
    if (own !== this.#reads) return false;
    for (const id of this.#sessions.keys())
      if (!listed.has(id) && !isToldSince(id)) this.#sessions.delete(id);
    return true;
  }

  #isKnown(id: string): boolean {
    return this.#sessions.has(id) && !this.#recalled.has(id);
  }

  #set(session: Session): void {
    this.#recalled.delete(session.id);
    this.#sessions.set(session.id, session);
  }

  #note(id: string): void {
    this.#time += 1;
    this.#told.set(id, this.#time);
  }
}
