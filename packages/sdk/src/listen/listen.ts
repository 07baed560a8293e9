import type { LinkGap } from '@signalbox/transport';
import type { ConnectOptions } from '../connect/connect.ts';
import { checkOptions } from '../options/check-options.ts';
import { AgentQuery } from '../query/agent-query.ts';
import { Conversation } from '../query/conversation.ts';
import { converse } from '../query/query.ts';
import type { Options } from '../types/options.ts';
import type { Query } from '../types/query.ts';
import type { AgentServer } from './agent-server.ts';

/** How agents are listened for, and talked to. */
export interface ListenOptions extends Omit<ConnectOptions, 'prompt' | 'headers' | 'reconnect'> {
  /** Where to listen on this machine; without it, the first free port from 8765 to 8864. */
  port?: number;
  /** What agents and observers have to show, as `Authorization: Bearer` or `?token=`. Without it, every program of this machine may come. */
  token?: string;
  /** What is said to each agent first. Without it a query listens, and `streamInput` sends prompts. */
  prompt?: string;
  /** Whether others may hear the agents on `/ws`, or prompt them and answer what they ask as well. `watch` unless given. */
  observers?: 'none' | 'watch' | 'drive';
  /** How long an agent whose connection broke is waited for; 30 seconds unless given. */
  returnTimeoutMs?: number;
}

/** Waits for agents: a {@link Query} for each that dials in. */
export interface Listener extends AsyncIterableIterator<Query>, AsyncDisposable {
  /** Where agents dial, for their `--sdk-url`. Rejects with `LISTEN_FAILED`. */
  readonly url: Promise<string>;
  /** Take no more agents, and let go of those that are there. */
  close(): Promise<void>;
}

/**
 * Be the server that agents dial with `--sdk-url`: a {@link Query} for each. Ending a query ends its agent. Observers on `/ws` get what
 * all agents say.
 */
export function listen(options: ListenOptions = {}): Listener {
  const { port, token, prompt, observers = 'watch', returnTimeoutMs, onGap = () => {}, ...rest } = options;
  checkOptions(rest);
  const settings = { port, token, observers, returnTimeoutMs, onGap, answers: answeredBy(options) };
  return new QueryListener(settings, (start) => {
    const conversation = new Conversation(rest, start);
    return prompt === undefined ? new AgentQuery(conversation) : converse(conversation, prompt);
  });
}

/** Questions that this program answers; all others are left to observers, where they may answer. */
export function answeredBy({
  canUseTool,
  onElicitation,
  onUserDialog,
}: Pick<Options, 'canUseTool' | 'onElicitation' | 'onUserDialog'>): ReadonlySet<string> {
  return new Set([
    ...(canUseTool ? ['can_use_tool'] : []),
    ...(onElicitation ? ['elicitation'] : []),
    ...(onUserDialog ? ['request_user_dialog'] : []),
  ]);
}

/** What a server of agents is told. */
export interface ListenSettings {
  port: number | undefined;
  token: string | undefined;
  /** What agents have to show in place of it. */
  agentToken?: string;
  observers: 'none' | 'watch' | 'drive';
  returnTimeoutMs: number | undefined;
  onGap: (gap: LinkGap) => void;
  /** Subtypes of the agents' questions that the program answers itself. */
  answers: ReadonlySet<string>;
}

type MakeQuery = (start: ConstructorParameters<typeof Conversation>[1]) => Query;

class QueryListener implements Listener {
  readonly url: Promise<string>;
  readonly #server: Promise<AgentServer>;
  readonly #queries: Query[] = [];
  readonly #waiting: ((query: IteratorResult<Query, undefined>) => void)[] = [];
  #state: 'open' | 'closed' = 'open';

  constructor(settings: ListenSettings, makeQuery: MakeQuery) {
    // Most programs never listen: they need not load what it takes.
    this.#server = import('./agent-server.ts').then(({ AgentServer }) =>
      AgentServer.listen(settings, (start) => this.#add(makeQuery(start))),
    );
    this.url = this.#server.then(({ url }) => url);
    // Whoever iterates is told.
    this.url.catch(() => {});
  }

  async next(): Promise<IteratorResult<Query, undefined>> {
    await this.#server;
    const value = this.#queries.shift();
    if (value) return { value, done: false };
    if (this.#state === 'closed') return { value: undefined, done: true };
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return(): Promise<IteratorResult<Query, undefined>> {
    await this.close();
    return { value: undefined, done: true };
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    for (const tell of this.#waiting.splice(0)) tell({ value: undefined, done: true });
    await this.#server.then(
      (server) => server.close(),
      () => {},
    );
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #add(query: Query): void {
    const tell = this.#waiting.shift();
    if (tell) tell({ value: query, done: false });
    else this.#queries.push(query);
  }
}
