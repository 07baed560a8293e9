import type { Dialler } from '../sessions/agent/agent-connection.ts';
import type { AgentTransport } from '../sessions/agent/agent-transport.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { type AgentCaller, ConversationSessions } from './conversation-sessions.ts';
import { permitDialIn } from './permit.ts';

/** Who may speak as the agent of which session. */
export class AgentService {
  readonly #store: Store;
  readonly #sessions: LiveSessions;

  constructor(store: Store, sessions: LiveSessions) {
    this.#store = store;
    this.#sessions = sessions;
  }

  /** Connect an agent that dials in to its session. One that names none has a session for each conversation. */
  async connect(
    by: Device,
    id: string | undefined,
    dialler: Dialler,
    caller: AgentCaller,
  ): Promise<AgentTransport> {
    permitDialIn(by, id);
    const conversations = new ConversationSessions(this.#store, this.#sessions, `${by.id}.`);
    for (;;) {
      const transport =
        id === undefined
          ? await this.#sessions.useOrCreate(await conversations.enter(caller), (live) =>
              live.connectAgent(dialler, (current, conversation, goOn) =>
                conversations.next(current, conversation, goOn),
              ),
            )
          : await this.#sessions.useOrCreate(id, (live) => live.connectAgent(dialler));
      // A session that was removed meanwhile is another one now.
      if (transport) return transport;
    }
  }

  /** Use the session of an agent that is there until `work` settles, to hear what it says on other ways. */
  async hear<Result>(by: Device, id: string, work: (live: LiveSession) => Promise<Result>): Promise<Result> {
    permitDialIn(by, id);
    return this.#sessions.use(id, work);
  }
}
