import type { Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import type { Sessions } from '../store/session.ts';
import type { Feed } from './feed.ts';
import type { SessionCallbacks } from './session-callbacks.ts';

/** States that a session may return to when its agent reconnects. */
const BACK: readonly SessionState[] = ['active', 'asking', 'idle'];

/** What an agent that was put away does not do unseen. */
const IN_SIGHT: readonly SessionState[] = ['starting', 'active', 'asking', 'terminal'];

/** Callbacks of a {@link SessionSummary}. */
export interface SummaryCallbacks extends Pick<SessionCallbacks, 'onSession'> {
  /** Work that nobody waits for: the session stays in use until it is done. */
  watch: (work: Promise<unknown>) => void;
  /** The agent is gone for good. */
  onExited: () => void;
}

/**
 * The facts of a session. Changes of one tick are published and stored once, and the latest wins: a flood of facts must
 * not cost a frame and a write each.
 */
export class SessionSummary {
  readonly #store: Sessions;
  readonly #feed: Feed;
  readonly #callbacks: SummaryCallbacks;
  #session: Session;
  /** What changed in this tick, and the state before it. */
  #changes: { facts: Partial<SessionFacts>; stateBefore: SessionState } | undefined;

  constructor(store: Sessions, session: Session, feed: Feed, callbacks: SummaryCallbacks) {
    this.#store = store;
    this.#session = session;
    this.#feed = feed;
    this.#callbacks = callbacks;
  }

  get session(): Session {
    return this.#session;
  }

  /** Take note of what is new: facts first, and then the state that they led to. */
  learn({ state, ...facts }: Partial<SessionFacts>, at = Date.now()): void {
    if (Object.keys(facts).length > 0) this.#update(facts, at);
    if (state) this.enter(state);
  }

  enter(state: SessionState): void {
    const { state: before, updatedAt, archivedAt } = this.#session;
    if (before === state) return;
    const isBack = archivedAt !== null && IN_SIGHT.includes(state);
    this.#update(
      { state, ...(isBack ? { archivedAt: null } : {}) },
      isNews(before, state) ? Date.now() : updatedAt,
    );
    if (state === 'exited') this.#callbacks.onExited();
  }

  #update(facts: Partial<SessionFacts>, updatedAt: number): void {
    if (!this.#changes) {
      this.#changes = { facts: {}, stateBefore: this.#session.state };
      this.#callbacks.watch(Promise.resolve().then(() => this.#publish()));
    }
    this.#session = { ...this.#session, ...facts, updatedAt };
    Object.assign(this.#changes.facts, facts);
  }

  async #publish(): Promise<void> {
    if (!this.#changes) return;
    const { facts, stateBefore } = this.#changes;
    this.#changes = undefined;
    const { id, state, updatedAt } = this.#session;
    this.#feed.message({ type: 'session', session: this.#session });
    if (facts.exit) this.#feed.message({ type: 'exit', session: id, ...facts.exit });
    if (state !== stateBefore) this.#feed.message({ type: 'activity', session: id, state });
    this.#callbacks.onSession(this.#session);
    await this.#store.update(id, facts, updatedAt);
  }
}

/** A connection that is lost or found again changes nothing that was said: the order of sessions must survive it. */
function isNews(before: SessionState, state: SessionState): boolean {
  return state !== 'disconnected' && !(before === 'disconnected' && BACK.includes(state));
}
