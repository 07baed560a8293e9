import { randomUUID } from 'node:crypto';
import { pagesOf, type Session } from '@signalbox/protocol/hub';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { SessionFor } from '../sessions/move-agent.ts';
import { isSessionId } from '../store/session.ts';
import type { Store } from '../store/store.ts';
import { SessionExistsError } from '../store/store-errors.ts';

/** What an agent that names no session says of itself when it dials. */
export interface AgentCaller {
  /** Which process it is, if it says so. */
  run: string | undefined;
  /** The uuid of its last message, if it said something before. */
  lastId: string | undefined;
}

/** The states of a session whose agent may be the one that dials: the hub may not have noticed yet that its link broke. */
const RETURNING = ['active', 'idle', 'asking', 'disconnected'] as const;

/**
 * The sessions of agents that name none: one for each conversation. `prefix` begins their ids, and is that of one device.
 * A process that says its name has `<prefix><run>`, then `<prefix><run>:2` and so on: so it is found after a restart of the hub.
 */
export class ConversationSessions {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #prefix: string;

  constructor(store: Store, sessions: LiveSessions, prefix: string) {
    this.#store = store;
    this.#sessions = sessions;
    this.#prefix = prefix;
  }

  /** The id of the session of an agent that was cut off and is back; a new one for any other. */
  async enter({ run, lastId }: AgentCaller): Promise<string> {
    const id = `${this.#prefix}${run ?? randomUUID()}`;
    if (run !== undefined && isSessionId(id))
      return this.#find(({ agent }) => agent.run === run) ?? this.#lastOf(id);
    const left = lastId === undefined ? undefined : await this.#leftWith(lastId);
    return left ?? `${this.#prefix}${randomUUID()}`;
  }

  /**
   * Calls `goOn` with the session in which the agent of `current` goes on with a conversation: one that had it and lost its
   * agent, or a new one.
   */
  async next(...[current, conversation, goOn]: Parameters<SessionFor>): Promise<void> {
    const left = this.#find(
      (live) => live !== current && !live.isConnected && live.agent.session === conversation,
    );
    if (left !== undefined) return this.#sessions.use(left, goOn);
    // What it has said so far belongs to its first conversation.
    if (current.agent.session === null) return goOn(current);
    return this.#sessions.use(await this.#createAfter(current.id), goOn);
  }

  async #createAfter(current: string): Promise<string> {
    for (let number = numberOf(current) + 1; ; number += 1) {
      const id = `${baseOf(current)}:${number}`;
      try {
        await this.#sessions.create(id);
        return id;
      } catch (error) {
        if (!(error instanceof SessionExistsError)) throw error;
      }
    }
  }

  /** Of those that are open: which process an agent is, is in no record. */
  #find(fits: (live: LiveSession) => boolean): string | undefined {
    return this.#sessions.all.find((live) => live.id.startsWith(this.#prefix) && fits(live))?.id;
  }

  async #lastOf(id: string): Promise<string> {
    let last = id;
    for (let number = 2; await this.#store.sessions.get(`${id}:${number}`); number += 1)
      last = `${id}:${number}`;
    return last;
  }

  /** Agents that do not say which process they are name their last message. One that did not arrive says no more than that. */
  async #leftWith(lastId: string): Promise<string | undefined> {
    const left: Session[] = [];
    for await (const page of pagesOf((from) => this.#store.sessions.list({ states: RETURNING, ...from }))) {
      for (const session of page.filter(({ id }) => id.startsWith(this.#prefix))) {
        if ((await this.#store.record.locate(session.id, lastId)) !== undefined) return session.id;
        if (session.state === 'disconnected') left.push(session);
      }
    }
    const [only, ...others] = left;
    return only && others.length === 0 ? only.id : undefined;
  }
}

function baseOf(id: string): string {
  return id.replace(/:\d+$/, '');
}

function numberOf(id: string): number {
  return Number(/:(\d+)$/.exec(id)?.[1] ?? 1);
}
