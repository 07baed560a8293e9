import type { Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import type { Sessions } from '../store/session.ts';
import type { Feed } from './feed.ts';
import type { SessionOutlets } from './session-outlets.ts';

/** What a session may be in again when its connection is back. */
const BACK: readonly SessionState[] = ['active', 'asking', 'idle'];

/** Who is told by a {@link SessionCard} beside those who watch the session. */
export interface CardOutlets extends Pick<SessionOutlets, 'onSession' | 'onTrouble'> {
  /** The agent is gone for good. */
  onExited: () => void;
}

/**
 * What is known of a session: told to whoever watches, and kept. All changes of one tick are published and stored once,
 * and the latest wins: a flood of facts must not cost a frame and a write each.
 */
export class SessionCard {
  readonly #store: Sessions;
  readonly #feed: Feed;
  readonly #outlets: CardOutlets;
  #session: Session;
  /** What changed in this tick, and the state before it. */
  #changes: { facts: Partial<SessionFacts>; stateBefore: SessionState } | undefined;

  constructor(store: Sessions, session: Session, feed: Feed, outlets: CardOutlets) {
    this.#store = store;
    this.#session = session;
    this.#feed = feed;
    this.#outlets = outlets;
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
    const { state: before, updatedAt } = this.#session;
    if (before === state) return;
    this.#update({ state }, isNews(before, state) ? Date.now() : updatedAt);
    if (state === 'exited') this.#outlets.onExited();
  }

  #update(facts: Partial<SessionFacts>, updatedAt: number): void {
    if (!this.#changes) {
      this.#changes = { facts: {}, stateBefore: this.#session.state };
      queueMicrotask(() => this.#publish());
    }
    this.#session = { ...this.#session, ...facts, updatedAt };
    Object.assign(this.#changes.facts, facts);
  }

  #publish(): void {
    if (!this.#changes) return;
    const { facts, stateBefore } = this.#changes;
    this.#changes = undefined;
    const { id, state, updatedAt } = this.#session;
    this.#feed.message({ type: 'session', session: this.#session });
    if (facts.exit) this.#feed.message({ type: 'exit', session: id, ...facts.exit });
    if (state !== stateBefore) this.#feed.message({ type: 'activity', session: id, state });
    this.#outlets.onSession(this.#session);
    const kept = this.#store.update(id, facts, updatedAt);
    kept.catch((error: unknown) => this.#outlets.onTrouble(id, error));
  }
}

/** A connection that is lost or found again changes nothing that was said: the order of sessions must survive it. */
function isNews(before: SessionState, state: SessionState): boolean {
  return state !== 'disconnected' && !(before === 'disconnected' && BACK.includes(state));
}
