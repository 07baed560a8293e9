import type { LiveSession } from '../../sessions/live-session.ts';
import type { LineSubscription } from './line-subscription.ts';
import {
  AmbiguousAnswerError,
  NoAgentError,
  SessionUnnamedError,
  UnknownSessionError,
} from './relay-errors.ts';

/** The sessions that one host listens to, and which of them a line of it is meant for. */
export class HostSessions {
  readonly #subscriptions = new Map<LiveSession, LineSubscription>();
  readonly #only: LiveSession | undefined;

  /** A host of one session means that one, whatever a line says. */
  constructor(only?: LiveSession) {
    this.#only = only;
  }

  has(live: LiveSession): boolean {
    return this.#subscriptions.has(live);
  }

  add(live: LiveSession, subscription: LineSubscription): void {
    this.remove(live);
    this.#subscriptions.set(live, subscription);
  }

  remove(live: LiveSession): void {
    this.#subscriptions.get(live)?.end();
    this.#subscriptions.delete(live);
  }

  removeAll(): void {
    for (const live of this.#subscriptions.keys()) this.remove(live);
  }

  /**
   * The session that a line is for, by the `session_id` in it: of agents that gave their conversation this name, the one that
   * did so last. Without a name it is for the only agent. Raises `RELAY_NO_AGENT`, `RELAY_SESSION_UNNAMED` or
   * `RELAY_SESSION_UNKNOWN`.
   */
  addressee(named: unknown): LiveSession {
    if (this.#only) return this.#only;
    const all = [...this.#subscriptions.keys()].filter(({ session }) => session.state !== 'exited');
    if (typeof named === 'string' && named !== '') {
      const found =
        lastNamed(all.filter(({ agent }) => agent.session === named)) ?? all.find(({ id }) => id === named);
      if (!found) throw new UnknownSessionError(named);
      return found;
    }
    const connected = all.filter(({ isConnected }) => isConnected);
    const [only, ...others] = connected.length > 0 ? connected : all;
    if (!only) throw new NoAgentError();
    if (others.length > 0) throw new SessionUnnamedError();
    return only;
  }

  /** The session whose agent asked this, and waits; undefined when none does. Raises `RELAY_ANSWER_AMBIGUOUS`. */
  asking(requestId: string): LiveSession | undefined {
    const [asking, ...others] = [...this.#subscriptions.keys()].filter(({ asks }) => asks.openOne(requestId));
    if (others.length > 0) throw new AmbiguousAnswerError(requestId);
    return asking;
  }

  /** The host answers this request itself: it need not be told that it was answered. */
  answering(live: LiveSession, requestId: string): void {
    this.#subscriptions.get(live)?.answering(requestId);
  }
}

function lastNamed(sessions: readonly LiveSession[]): LiveSession | undefined {
  return sessions.toSorted((one, other) => other.agent.namedAt - one.agent.namedAt)[0];
}
