import type { OpenSession } from './open-session.ts';

/**
 * The sessions with rows in `recent`, the one with the oldest row first, and what a commit has changed of them. One that fails
 * is undone from memory: on a full disk one fails after the other, and nothing of the record is read for it again.
 */
export class OpenSessions {
  readonly #sessions = new Map<string, OpenSession>();
  /** What the commit may have changed: how to undo it, and whether it was among the open ones before. */
  readonly #touched = new Map<OpenSession, { undo: () => void; wasOpen: boolean }>();

  get(id: string): OpenSession | undefined {
    return this.#sessions.get(id);
  }

  add(session: OpenSession): void {
    this.#sessions.set(session.id, session);
  }

  remove(session: OpenSession): void {
    this.#sessions.delete(session.id);
  }

  [Symbol.iterator](): IterableIterator<OpenSession> {
    return this.#sessions.values();
  }

  /** A commit begins; the one before it is not undone any more. */
  begin(): void {
    this.#touched.clear();
  }

  /** The commit is about to change this session, open or not. */
  touch(session: OpenSession): void {
    if (this.#touched.has(session)) return;
    const wasOpen = this.#sessions.get(session.id) === session;
    this.#touched.set(session, { undo: session.remember(), wasOpen });
  }

  /** The commit has failed: go back to what was when it began. */
  undo(): void {
    let isOutOfOrder = false;
    // One that was removed and made again is there twice: what it was first is what it is.
    for (const [session, { undo, wasOpen }] of [...this.#touched].toReversed()) {
      undo();
      if (!wasOpen) this.remove(session);
      else if (this.#sessions.get(session.id) !== session) {
        this.add(session);
        isOutOfOrder = true;
      }
    }
    this.#touched.clear();
    if (isOutOfOrder) this.#putInOrder();
  }

  #putInOrder(): void {
    const sessions = [...this].toSorted((one, other) => one.oldestRow - other.oldestRow);
    this.#sessions.clear();
    for (const session of sessions) this.add(session);
  }
}
