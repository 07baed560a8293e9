import type { PermissionRequest, Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import { AskBudget } from '../asks/ask-budget.ts';
import type { Store } from '../store/store.ts';
import { SessionExistsError, SessionNotFoundError, StoreUnreadableError } from '../store/store-errors.ts';
import { SessionConnectedError } from './live-errors.ts';
import { LiveSession } from './live-session.ts';
import type { SessionOutlets } from './session-outlets.ts';

/** What a session cannot be doing when the hub has just started. */
const CONNECTED_STATES: readonly SessionState[] = ['active', 'idle', 'asking'];

/** A session that nobody uses is let go after once to twice this long. */
const REST_AFTER_MS = 60_000;

/** When so many were opened, they are looked through at once. */
const MAX_OPENED_SESSIONS = 1000;

interface OpenSession {
  opening: Promise<LiveSession>;
  /** Undefined while it is being opened. */
  live: LiveSession | undefined;
  /** Whether it was asked for since they were looked through. */
  isFresh: boolean;
}

/** The sessions that somebody uses. */
export class LiveSessions {
  readonly #store: Store;
  readonly #onTrouble: SessionOutlets['onTrouble'];
  readonly #sessions = new Map<string, OpenSession>();
  /** Those that were let go: as long as anybody holds one, there must be no second one of the same session. */
  readonly #resting = new Map<string, WeakRef<LiveSession>>();
  readonly #gone = new FinalizationRegistry((id: string) => {
    if (!this.#resting.get(id)?.deref()) this.#resting.delete(id);
  });
  readonly #askBudget = new AskBudget();
  #opened = 0;
  readonly #listeners = new Set<(session: Session) => void>();
  readonly #permissionListeners = new Set<(permission: PermissionRequest) => void>();
  readonly #removalListeners = new Set<(id: string) => void>();
  /** Lines and bytes that were recorded since the hub started. */
  readonly recorded = { lines: 0, bytes: 0 };

  constructor(store: Store, onTrouble: SessionOutlets['onTrouble']) {
    this.#store = store;
    this.#onTrouble = onTrouble;
    setInterval(() => this.letGo(), REST_AFTER_MS).unref();
  }

  /**
   * Settle what an earlier process of the hub has left: nobody is connected, and nobody is left to be answered whose
   * agent is gone. What cannot be read is set aside, and keeps nothing else from going on.
   */
  async begin(): Promise<void> {
    const { permissions } = this.#store;
    await this.#markDisconnected();
    await permissions.expireLeft();
    for (const { session, requestId } of await permissions.expireUnread())
      this.#onTrouble(session, new StoreUnreadableError(`permission request ${requestId}, which is expired`));
    for (const { session, bytes } of await permissions.openBytes()) this.#askBudget.set(session, bytes);
  }

  /** Whatever the store says: nobody is connected to a hub that has just started. */
  async #markDisconnected(): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.#store.sessions.list({ states: CONNECTED_STATES, ...(after ? { after } : {}) });
      await Promise.all(
        page.items.map(({ id, updatedAt }) =>
          this.#store.sessions.update(id, { state: 'disconnected' }, updatedAt),
        ),
      );
      after = page.next;
    } while (after !== undefined);
  }

  /** Raises `STORE_SESSION_NOT_FOUND`. */
  get(id: string): Promise<LiveSession> {
    const known = this.#sessions.get(id);
    if (known) {
      known.isFresh = true;
      return known.opening;
    }
    const resting = this.#resting.get(id)?.deref();
    this.#resting.delete(id);
    const opening = resting ? Promise.resolve(resting) : this.#open(id);
    const session: OpenSession = { opening, live: resting, isFresh: true };
    this.#sessions.set(id, session);
    opening.then(
      (live) => {
        session.live = live;
      },
      // An id that nobody has must be asked for again next time.
      () => this.#sessions.delete(id),
    );
    this.#opened += 1;
    if (this.#opened >= MAX_OPENED_SESSIONS) this.letGo();
    return opening;
  }

  /** What is known of a session, also of one that cannot be taken up. Raises `STORE_SESSION_NOT_FOUND`. */
  async known(id: string): Promise<Session> {
    const open = this.#sessions.get(id)?.live?.session;
    const session = open ?? (await this.#store.sessions.get(id));
    if (!session) throw new SessionNotFoundError(id);
    return session;
  }

  /** Let go of sessions that nobody uses, and that nobody has asked for since this was called last. */
  letGo(): void {
    this.#opened = 0;
    for (const [id, session] of this.#sessions) {
      const { live, isFresh } = session;
      session.isFresh = false;
      if (isFresh || !live?.isResting) continue;
      this.#sessions.delete(id);
      this.#resting.set(id, new WeakRef(live));
      this.#gone.register(live, id);
    }
  }

  /**
   * Raises `STORE_SESSION_EXISTS`. One that was created since `begunAt` is that of the same request, which comes again
   * after a kill.
   */
  async create(id: string, facts: Partial<SessionFacts> = {}, begunAt?: number): Promise<LiveSession> {
    const known = begunAt === undefined ? undefined : await this.#store.sessions.get(id);
    if (known && begunAt !== undefined && known.createdAt >= begunAt) return this.get(id);
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

  /** One that came into the store by another way. */
  adopt(session: Session): void {
    for (const listener of this.#listeners) listener(session);
  }

  /** Forget a session. Raises `SESSION_CONNECTED`. */
  async remove(id: string): Promise<void> {
    const live = await this.get(id).catch((error: unknown) => {
      // To remove it is all that is left to do with one that cannot be read.
      if (error instanceof StoreUnreadableError) return undefined;
      throw error;
    });
    if (live?.isConnected) throw new SessionConnectedError(id);
    this.#sessions.delete(id);
    await live?.handOver();
    await this.#store.sessions.remove(id);
    this.#askBudget.set(id, 0);
    live?.feed.message({ type: 'removed', session: id });
    for (const listener of this.#removalListeners) listener(id);
  }

  /** Those that are open already. */
  async all(): Promise<LiveSession[]> {
    const opened = await Promise.allSettled([...this.#sessions.values()].map(({ opening }) => opening));
    return opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  /** Hear of every session that is new or changes; returns the way to stop it. */
  onSession(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hear of every permission request that is new or changes; returns the way to stop it. */
  onPermission(listener: (permission: PermissionRequest) => void): () => void {
    this.#permissionListeners.add(listener);
    return () => this.#permissionListeners.delete(listener);
  }

  /** Hear of every session that is no more; returns the way to stop it. */
  onRemoved(listener: (id: string) => void): () => void {
    this.#removalListeners.add(listener);
    return () => this.#removalListeners.delete(listener);
  }

  /** Let go of all agents; they dial again. */
  async handOver(): Promise<void> {
    await Promise.all((await this.all()).map((session) => session.handOver()));
  }

  async #open(id: string): Promise<LiveSession> {
    const session = await this.known(id);
    if (session.unread) this.#onTrouble(id, new StoreUnreadableError(`the facts of session ${id}`));
    return LiveSession.open(this.#store, session, {
      onSession: (changed) => {
        for (const listener of this.#listeners) listener(changed);
      },
      onPermission: (permission) => {
        for (const listener of this.#permissionListeners) listener(permission);
      },
      onRecorded: (lines, bytes) => {
        this.recorded.lines += lines;
        this.recorded.bytes += bytes;
      },
      onTrouble: this.#onTrouble,
      askBudget: this.#askBudget,
    });
  }
}
