import type { LineHead } from '@signalbox/protocol';
import type { Author, Session, SessionState } from '@signalbox/protocol/hub';
import type { Asks } from './asks/asks.ts';
import type { Readiness } from './inbox/prompt-dispatcher.ts';
import type { SessionAgent } from './session-agent.ts';
import { type Turn, turnAfter } from './turn.ts';

/** What a session may be doing without a connection to its agent. */
const ALONE: readonly SessionState[] = ['starting', 'terminal', 'exited'];

/** What a session is doing; derived from the record and the connection only. */
export class SessionActivity {
  readonly #agent: SessionAgent;
  readonly #asks: Asks;
  readonly #session: () => Session;
  #turn: Turn = 'none';

  constructor(agent: SessionAgent, asks: Asks, session: () => Session) {
    this.#agent = agent;
    this.#asks = asks;
    this.#session = session;
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** Something was said. */
  hear(author: Author, head: LineHead): void {
    this.#turn = turnAfter(this.#turn, author, head);
  }

  /** The agent that was at work is no more, or not here any more. */
  loseTurn(): void {
    this.#turn = 'none';
  }

  get state(): SessionState {
    const { state } = this.#session();
    if (!this.#agent.isConnected) return ALONE.includes(state) ? state : 'disconnected';
    if (this.#asks.open.length > 0) return 'asking';
    if (this.#turn === 'running') return 'active';
    return state === 'starting' && this.#agent.state === 'greeting' ? 'starting' : 'idle';
  }

  /** Which prompts the agent can take now. */
  get readiness(): Readiness {
    if (this.#agent.state !== 'ready' || this.#session().view !== 'sdk') return 'nothing';
    return this.#turn === 'running' ? 'steering' : 'everything';
  }
}
