import type { Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import type { Store } from '../store/store.ts';
import { SessionExistsError, SessionNotFoundError } from '../store/store-errors.ts';
import { LiveSession, type SessionOutlets } from './live-session.ts';

/** What a session cannot be doing when the hub has just started. */
const CONNECTED_STATES: readonly SessionState[] = ['active', 'idle', 'asking'];

/** The sessions that somebody uses. */
export class LiveSessions {
  readonly #store: Store;
  readonly #onTrouble: SessionOutlets['onTrouble'];
  readonly #sessions = new Map<string, Promise<LiveSession>>();
  readonly #listeners = new Set<(session: Session) => void>();
  /** Lines and bytes that were recorded since the hub started. */
  readonly recorded = { lines: 0, bytes: 0 };

  constructor(store: Store, onTrouble: SessionOutlets['onTrouble']) {
    this.#store = store;
    this.#onTrouble = onTrouble;
  }

  /** Whatever the store says: nobody is connected to a hub that has just started. */
  async markDisconnected(): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.#store.sessions.list({ states: CONNECTED_STATES, ...(after ? { after } : {}) });
      await Promise.all(
        page.items.map(({ id }) => this.#store.sessions.update(id, { state: 'disconnected' })),
      );
      after = page.next;
    } while (after !== undefined);
  }

  /** Raises `STORE_SESSION_NOT_FOUND`. */
  get(id: string): Promise<LiveSession> {
    const known = this.#sessions.get(id);
    if (known) return known;
    const opening = this.#open(id);
    this.#sessions.set(id, opening);
    // An id that nobody has must be asked for again next time.
    opening.catch(() => this.#sessions.delete(id));
    return opening;
  }

  /** Raises `STORE_SESSION_EXISTS`. */
  async create(id: string, facts: Partial<SessionFacts> = {}): Promise<LiveSession> {
    const session = await this.#store.sessions.create(id, facts);
    for (const listener of this.#listeners) listener(session);
    return this.get(id);
  }

  async getOrCreate(id: string): Promise<LiveSession> {
    try {
      return await this.get(id);
    } catch (error) {
      if (!(error instanceof SessionNotFoundError)) throw error;
    }
    try {
      return await this.create(id);
    } catch (error) {
      // Two who dial for the same session at once: one of them was first.
      if (error instanceof SessionExistsError) return this.get(id);
      throw error;
    }
  }

  /** Those that are open already. */
  async all(): Promise<LiveSession[]> {
    const opened = await Promise.allSettled(this.#sessions.values());
    return opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  /** Hear of every session that is new or changes; returns the way to stop it. */
  onSession(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Let go of all agents; they dial again. */
  async handOver(): Promise<void> {
    await Promise.all((await this.all()).map((session) => session.handOver()));
  }

  async #open(id: string): Promise<LiveSession> {
    const session = await this.#store.sessions.get(id);
    if (!session) throw new SessionNotFoundError(id);
    return LiveSession.open(this.#store, session, {
      onSession: (changed) => {
        for (const listener of this.#listeners) listener(changed);
      },
      onRecorded: (lines, bytes) => {
        this.recorded.lines += lines;
        this.recorded.bytes += bytes;
      },
      onTrouble: this.#onTrouble,
    });
  }
}
