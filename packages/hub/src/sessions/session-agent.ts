import type { ControlRequestBody, JsonObject, RequestOptions, WireLine } from '@signalbox/protocol';
import type { LinkGap, LinkPosition } from '@signalbox/transport';
import type { Holds } from '../base/holds.ts';
import {
  AgentConnection,
  type AgentConnectionCallbacks,
  type AgentConnectionState,
  type Dialler,
  type Greeting,
  type Leaving,
} from './agent/agent-connection.ts';
import { AgentIdentity } from './agent/agent-identity.ts';
import type { AgentTransport } from './agent/agent-transport.ts';
import { type ConversationStart, conversationBegunBy } from './agent/conversation-change.ts';
import { AgentNotConnectedError, SeatTakenError } from './session-errors.ts';

/** Callbacks of a {@link SessionAgent}. */
export interface SessionAgentCallbacks {
  /** What to wait for before the next line; undefined while there is room. */
  onLine: (line: WireLine, position: LinkPosition | undefined) => Promise<void> | undefined;
  /** The agent begins a conversation, which may be that of another session. Nothing more is read of it until this settles. */
  onConversation: (
    start: ConversationStart,
    line: WireLine,
    position: LinkPosition | undefined,
  ) => Promise<void>;
  onGap: (gap: LinkGap) => void;
  onState: (state: AgentConnectionState) => void;
  onArrival: (dialler: Dialler) => (greeting: Greeting) => Promise<void>;
  onLeft: (leaving: Leaving) => void;
  /** Settles when all that the agent said is stored. */
  settled: () => Promise<void>;
}

/** The agent of a session, as far as it is there: who it is, its connection, and how far it was heard. */
export class SessionAgent {
  readonly identity = new AgentIdentity();
  readonly #session: string;
  readonly #holds: Holds;
  readonly #callbacks: SessionAgentCallbacks;
  #connection: AgentConnection | undefined;
  /** As long as there is a connection, the session is in use. */
  #release: () => void = () => {};
  /** Whether it has a session for each of its conversations. */
  #isMoving = false;
  /** How far the agent was heard, whatever link it comes back on. */
  #position: LinkPosition | undefined;

  constructor(session: string, holds: Holds, callbacks: SessionAgentCallbacks) {
    this.#session = session;
    this.#holds = holds;
    this.#callbacks = callbacks;
  }

  /** How far an earlier process of the hub has heard it. */
  recall(position: LinkPosition | undefined): void {
    this.#position = position;
  }

  get state(): AgentConnectionState {
    return this.#connection?.state ?? 'empty';
  }

  get isConnected(): boolean {
    return this.#connection?.isConnected ?? false;
  }

  /** The numbering of its lines, while it has one. */
  get epoch(): string | undefined {
    return this.#position?.epoch;
  }

  get link(): AgentTransport['link'] | undefined {
    return this.#connection?.transport.link;
  }

  /** Make room for who dials in: two processes never share a connection. Raises `SEAT_TAKEN`. */
  async giveWayTo(dialler: Dialler): Promise<void> {
    while (this.#connection && this.#connection.run !== dialler.run) {
      if (await this.#connection.isHeldAgainst(dialler)) throw new SeatTakenError(this.#session);
      await this.#connection.giveWay();
      await this.#callbacks.settled();
    }
  }

  /** Its transport, over its earlier link or a new one. */
  connect(dialler: Dialler, isMoving: boolean): AgentTransport {
    this.#isMoving = isMoving;
    const connection =
      this.#connection ??
      new AgentConnection(dialler.run, this.#position, this.#connectionCallbacks(dialler));
    this.#keepConnection(connection);
    return connection.transportFor(dialler.via);
  }

  /** Take over the connected agent of another session, which begins a conversation here. */
  async takeOver(before: SessionAgent, conversation: string): Promise<void> {
    // Of a process that had this conversation, only a link that broke can be left.
    await this.#connection?.giveWay();
    const connection = before.#connection;
    if (!connection) throw new AgentNotConnectedError(before.#session);
    this.#keepConnection(connection);
    before.#keepConnection(undefined);
    this.#position = before.#position;
    this.#isMoving = before.#isMoving;
    this.identity.succeed(before.identity, conversation);
    connection.handTo(this.#connectionCallbacks({ via: 'agent', run: connection.run }));
  }

  /** A line that belongs to this session. */
  hear(line: WireLine, position: LinkPosition | undefined): Promise<void> | undefined {
    this.#position = position ?? this.#position;
    return this.#callbacks.onLine(line, position);
  }

  /** All up to here is safe. */
  acknowledge(position: LinkPosition): void {
    this.#connection?.transport.acknowledge(position);
  }

  /** A control line of the agent that is durable, for the one who asked or is asked. */
  feed(line: WireLine): void {
    this.#connection?.feed(line);
  }

  /** Settles with whether the agent has got the line. */
  deliver(line: string): Promise<boolean> {
    return this.#connection?.deliver(line) ?? Promise.resolve(false);
  }

  /** Ask the agent something. Rejects when it refuses, does not answer, leaves, or is not there. */
  async request(body: ControlRequestBody, options: RequestOptions): Promise<JsonObject> {
    if (!this.#connection?.isConnected) throw new AgentNotConnectedError(this.#session);
    return this.#connection.request(body, options);
  }

  /** Say something to the agent as it is. Raises `AGENT_NOT_CONNECTED`. */
  async passOn(line: WireLine): Promise<void> {
    const isGot = this.isConnected && (await this.deliver(line.text()));
    if (!isGot) throw new AgentNotConnectedError(this.#session);
  }

  /** Tell the agent to leave. */
  async dismiss(): Promise<void> {
    await this.#connection?.dismiss();
  }

  /** Let go of the agent without a goodbye: it dials again, and goes on with whoever serves it then. */
  async handOver(): Promise<void> {
    await this.#connection?.handOver();
  }

  #keepConnection(connection: AgentConnection | undefined): void {
    const release = this.#release;
    this.#connection = connection;
    this.#release = connection ? this.#holds.take() : () => {};
    release();
  }

  #connectionCallbacks(dialler: Dialler): AgentConnectionCallbacks {
    const { onGap, onState, onArrival, onLeft } = this.#callbacks;
    return {
      onLine: (line, position) => this.#heard(line, position),
      onGap,
      onState,
      onArrival: () => onArrival(dialler),
      onLeft: (leaving) => {
        const release = this.#release;
        this.#release = () => {};
        this.#connection = undefined;
        onLeft(leaving);
        release();
      },
    };
  }

  #heard(line: WireLine, position: LinkPosition | undefined): Promise<void> | undefined {
    line.head().settleType();
    const start = this.#isMoving ? conversationBegunBy(line) : undefined;
    if (start && start.id !== this.identity.session)
      return this.#callbacks.onConversation(start, line, position);
    return this.hear(line, position);
  }
}
