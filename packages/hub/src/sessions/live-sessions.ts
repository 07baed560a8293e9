import {
  type PermissionRequest,
  pagesOf,
  type Session,
  type SessionFacts,
  type SessionState,
} from '@signalbox/protocol/hub';
import { Policy } from '../policy/policy.ts';
import { Ledger } from '../spend/ledger.ts';
import type { Effect } from '../store/commit.ts';
import type { Store } from '../store/store.ts';
import { SessionExistsError, SessionNotFoundError, StoreUnreadableError } from '../store/store-errors.ts';
import { AskBudget } from './asks/ask-budget.ts';
import { LiveSession } from './live-session.ts';
import { OpenSessions } from './open-sessions.ts';
import type { SessionCallbacks, SessionNotices } from './session-callbacks.ts';
import { SessionConnectedError } from './session-errors.ts';

/** What a session cannot be doing when the hub has just started. */
const CONNECTED_STATES: readonly SessionState[] = ['active', 'idle', 'asking'];

/** The sessions of the hub, each taken up from the store as long as somebody uses it. */
export class LiveSessions {
  readonly #store: Store;
  readonly #onTrouble: SessionCallbacks['onTrouble'];
  readonly #open: OpenSessions;
  /** Removals that are under way: whoever asks for such a session waits until it is known what became of it. */
  readonly #removals = new Map<string, Promise<unknown>>();
  readonly #askBudget = new AskBudget();
  readonly #policy: Policy;
  readonly #ledger: Ledger;
  readonly #notices: SessionNotices | undefined;
  readonly #listeners = new Set<(session: Session) => void>();
  readonly #permissionListeners = new Set<(permission: PermissionRequest) => void>();
  readonly #removalListeners = new Set<(id: string) => void>();
  readonly #turnListeners = new Set<SessionCallbacks['onTurn']>();
  readonly #moveListeners = new Set<(from: LiveSession, to: LiveSession) => void>();
  /** Lines and bytes that were recorded since the hub started, and what all lines took until they were shown. */
  readonly recorded = { lines: 0, bytes: 0, delayMs: 0 };

  constructor(
    store: Store,
    onTrouble: SessionCallbacks['onTrouble'],
    policy = new Policy(),
    ledger = new Ledger(),
    notices?: SessionNotices,
  ) {
    this.#store = store;
    this.#notices = notices;
    this.#policy = policy;
    this.#ledger = ledger;
    this.onRemoved((id) => {
      policy.forgetSession(id);
      ledger.forgetSession(id);
    });
    ledger.onChange(() => {
      for (const live of this.all) live.turns.budgetChanged();
    });
    this.#onTrouble = onTrouble;
    this.#open = new OpenSessions(async (id, holds) => {
      const session = await this.known(id);
      if (session.unread) this.#onTrouble(id, new StoreUnreadableError(`the facts of session ${id}`));
      return LiveSession.open(store, session, holds, this.#callbacks());
    });
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
    const { sessions } = this.#store;
    for await (const page of pagesOf((from) => sessions.list({ states: CONNECTED_STATES, ...from })))
      await Promise.all(
        page.map(({ id, updatedAt }) => sessions.update(id, { state: 'disconnected' }, updatedAt)),
      );
  }

  /**
   * Use a session until `work` settles; who needs it for longer holds it (`LiveSession.hold`), as agents and viewers do.
   * Raises `STORE_SESSION_NOT_FOUND`.
   */
  async use<Result>(id: string, work: (live: LiveSession) => Promise<Result> | Result): Promise<Result> {
    for (let removal = this.#removals.get(id); removal; removal = this.#removals.get(id))
      await removal.catch(() => {});
    return this.#open.use(id, work);
  }

  /** What is known of a session, also of one that cannot be taken up. Raises `STORE_SESSION_NOT_FOUND`. */
  async known(id: string): Promise<Session> {
    const session = this.#open.get(id)?.session ?? (await this.#store.sessions.get(id));
    if (!session) throw new SessionNotFoundError(id);
    return session;
  }

  /**
   * Raises `STORE_SESSION_EXISTS`. One that was created since `begunAt` is that of the same request, which comes again
   * after a kill.
   */
  async create(id: string, facts: Partial<SessionFacts> = {}, begunAt?: number): Promise<void> {
    if (await this.madeSince(id, begunAt)) return;
    const session = await this.#store.sessions.create(id, facts);
    for (const listener of this.#listeners) listener(session);
  }

  /** Whether there is a session that was created since then. */
  async madeSince(id: string, begunAt: number | undefined): Promise<boolean> {
    const known = begunAt === undefined ? undefined : await this.#store.sessions.get(id);
    return known !== undefined && begunAt !== undefined && known.createdAt >= begunAt;
  }

  /** Use a session, which is made when it is not there. */
  async useOrCreate<Result>(id: string, work: (live: LiveSession) => Promise<Result>): Promise<Result> {
    for (;;) {
      let isThere = false;
      try {
        return await this.use(id, (live) => {
          isThere = true;
          return work(live);
        });
      } catch (error) {
        if (isThere || !(error instanceof SessionNotFoundError)) throw error;
      }
      await this.create(id).catch((error: unknown) => {
        // Two who dial for the same session at once: one of them was first.
        if (!(error instanceof SessionExistsError)) throw error;
      });
    }
  }

  /** One that came into the store by another way. */
  adopt(session: Session): void {
    for (const listener of this.#listeners) listener(session);
  }

  /** Forget a session, and store `effects` with it. Raises `SESSION_CONNECTED`. */
  async remove(id: string, effects: readonly Effect[] = []): Promise<void> {
    try {
      await this.use(id, (live) => this.#removeOnce(id, live, effects));
    } catch (error) {
      if (!(error instanceof StoreUnreadableError)) throw error;
      // To remove it is all that is left to do with one that cannot be read.
      await this.#removeOnce(id, undefined, effects);
    }
  }

  async #removeOnce(id: string, live: LiveSession | undefined, effects: readonly Effect[]): Promise<void> {
    if (live?.isConnected) throw new SessionConnectedError(id);
    // Two who remove it at once: the second finds that it is gone.
    if (this.#removals.has(id)) return this.remove(id, effects);
    const removal = this.#remove(id, live, effects).finally(() => this.#removals.delete(id));
    this.#removals.set(id, removal);
    await removal;
    live?.feed.message({ type: 'removed', session: id });
    for (const listener of this.#removalListeners) listener(id);
  }

  /** No agent can connect in between: one that dials now gets the session that there is afterwards. */
  async #remove(id: string, live: LiveSession | undefined, effects: readonly Effect[]): Promise<void> {
    live?.beginRemoval();
    try {
      await live?.handOver();
      await this.#store.commit({ effects: [{ kind: 'remove-session', session: id }, ...effects] });
    } catch (error) {
      live?.endRemoval();
      throw error;
    }
    this.#open.forget(id);
    this.#askBudget.set(id, 0);
  }

  /** Those that are open at this moment. Who wants to keep one has to hold it before anything else happens. */
  get all(): LiveSession[] {
    return this.#open.all;
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

  /** Hear of every turn that begins or is over; returns the way to stop it. */
  onTurn(listener: SessionCallbacks['onTurn']): () => void {
    this.#turnListeners.add(listener);
    return () => this.#turnListeners.delete(listener);
  }

  /** Hear of every agent that goes on in another session; returns the way to stop it. */
  onMoved(listener: (from: LiveSession, to: LiveSession) => void): () => void {
    this.#moveListeners.add(listener);
    return () => this.#moveListeners.delete(listener);
  }

  /** Let go of all agents, who dial again; for good. */
  async handOver(): Promise<void> {
    await this.#open.settled();
    await Promise.all(this.all.map((session) => session.handOver()));
  }

  #callbacks(): SessionCallbacks {
    return {
      onSession: (changed) => {
        for (const listener of this.#listeners) listener(changed);
      },
      onPermission: (permission) => {
        for (const listener of this.#permissionListeners) listener(permission);
      },
      onTurn: (live, turn, entry) => {
        for (const listener of this.#turnListeners) listener(live, turn, entry);
      },
      onRecorded: (lines, bytes, delayMs) => {
        this.recorded.lines += lines;
        this.recorded.bytes += bytes;
        this.recorded.delayMs += delayMs;
      },
      onMoved: (from, to) => {
        for (const listener of this.#moveListeners) listener(from, to);
      },
      onTrouble: this.#onTrouble,
      askBudget: this.#askBudget,
      policy: this.#policy,
      ledger: this.#ledger,
      notices: this.#notices,
    };
  }
}
