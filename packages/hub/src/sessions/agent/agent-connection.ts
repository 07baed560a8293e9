import {
  ControlPeer,
  ControlRefusedError,
  type ControlRequestBody,
  encodeBridgeOrder,
  type JsonObject,
  JsonTooDeepError,
  LIMITS,
  objectAt,
  type RequestOptions,
  type WireLine,
} from '@signalbox/protocol';
import { Gate, LineQueue, type LinkGap, type LinkPosition } from '@signalbox/transport';
import { readings } from '../../base/readings.ts';
import { turns } from '../../base/turns.ts';
import { NO_RUN } from '../../bridge/agent-run.ts';
import { AgentNotReadingError } from './agent-errors.ts';
import { AgentTransport } from './agent-transport.ts';

/** How long an agent may take to answer when it is greeted; then it is spoken to all the same. */
export const GREETING_TIMEOUT_MS = 30_000;

/** How long an agent may take to answer any other request. */
export const CONTROL_TIMEOUT_MS = 60_000;

/** How long a connected bridge may take to answer a probe when another one dials in. */
const PROBE_MS = 5000;

/** After how many lines the event loop may be yielded to others. */
const LINES_A_LOOK = 64;

/** `greeting` has not answered who it is; `away` may come back; `gone` will not over this transport. */
export type AgentConnectionState = 'empty' | 'greeting' | 'ready' | 'away' | 'gone';

/** Who is at the other end. */
export interface Dialler {
  /** The agent itself, or a bridge that owns it. */
  via: 'agent' | 'bridge';
  /** Which process of the agent it speaks for, if it says so; `NO_RUN` when that is gone and only its words are left. */
  run: string | undefined;
}

/** What an agent said when it was greeted. */
export type Greeting =
  /** A process that nobody has spoken to. */
  | { agent: 'new' }
  /** One that was greeted before, with what it still asks. */
  | { agent: 'known'; pending: readonly unknown[] }
  /** One that does not answer, or not in a way that we know. */
  | { agent: 'silent' };

/** How an agent left: `farewell` on purpose, `replaced` by another one, `lost` otherwise. */
export type Leaving = 'farewell' | 'replaced' | 'lost';

/** Callbacks of an {@link AgentConnection}. */
export interface AgentConnectionCallbacks {
  /** What to wait for before the next line; undefined while there is room. */
  onLine: (line: WireLine, position: LinkPosition | undefined) => Promise<void> | undefined;
  onGap: (gap: LinkGap) => void;
  onState: (state: AgentConnectionState) => void;
  /** Before it is greeted, for what the answer has to be compared with. */
  onArrival: () => (greeting: Greeting) => Promise<void>;
  onLeft: (leaving: Leaving) => void;
}

/** An agent's connection to its session: its link, and the control requests sent to it. */
export class AgentConnection {
  readonly transport: AgentTransport;
  readonly run: string | undefined;
  #callbacks: AgentConnectionCallbacks;
  readonly #peer: ControlPeer;
  /** What it says waits here while it does not read what it is told. */
  readonly #gate = new Gate();
  readonly #toPeer = new LineQueue({ onRoom: () => this.#openGate() });
  #untold = 0;
  #unreadBytes = 0;
  #heard = 0;
  #state: AgentConnectionState = 'empty';
  #via: Dialler['via'] = 'agent';
  #leaving: Leaving = 'farewell';
  #greeting: object | undefined;
  readonly #left: Promise<void>;

  /** `received` is how far an earlier process of the hub had got with the agent's lines. */
  constructor(
    run: string | undefined,
    received: LinkPosition | undefined,
    callbacks: AgentConnectionCallbacks,
  ) {
    this.run = run;
    this.#callbacks = callbacks;
    this.transport = new AgentTransport({
      lossless: true,
      surviveDrops: true,
      acknowledge: 'manual',
      readings,
      onGap: (gap) => this.#callbacks.onGap(gap),
      onAttached: () => {
        if (run !== NO_RUN) void this.#greet();
      },
      ...(received ? { received } : {}),
    });
    this.#peer = new ControlPeer(
      { send: (line) => this.transport.send(line), receive: () => this.#toPeer.claim() },
      { defaultTimeoutMs: CONTROL_TIMEOUT_MS },
    );
    this.transport.onStateChange((state) => {
      if (state === 'reconnecting') this.#enter('away');
    });
    void this.#peer.run();
    this.#left = this.#read();
  }

  get state(): AgentConnectionState {
    return this.#state;
  }

  /** From the next line on the agent is that of another session. */
  handTo(callbacks: AgentConnectionCallbacks): void {
    this.#callbacks = callbacks;
  }

  /** The link, for one who dials; whoever came last is who is there. */
  transportFor(via: Dialler['via']): AgentTransport {
    this.#via = via;
    return this.transport;
  }

  /**
   * Whether a bridge with an agent is here and alive while another one dials: the two would take turns, and each get a part
   * of the prompts.
   */
  async isHeldAgainst({ via }: Dialler): Promise<boolean> {
    if (via !== 'bridge' || this.#via !== 'bridge' || this.run === NO_RUN || !this.isConnected) return false;
    return this.transport.answers(PROBE_MS);
  }

  get isConnected(): boolean {
    return this.#state === 'ready' || this.#state === 'greeting';
  }

  /** A control line of the agent that is durable, for the one who asked or is asked. */
  feed(line: WireLine): void {
    if (!this.#toPeer.push(line)) this.#gate.shut();
  }

  /** Ask the agent. Rejects when it refuses, does not answer, or leaves, and when it has not read what it was asked. */
  async request(body: ControlRequestBody, options: RequestOptions = {}): Promise<JsonObject> {
    const bytes = JSON.stringify(body).length;
    // A question that nobody waits for any more is still on its way.
    if (this.#unreadBytes > 0 && this.#unreadBytes + bytes > LIMITS.unreadRequestBytes.most)
      throw new AgentNotReadingError();
    const answer = this.#peer.request(body, options);
    this.#unreadBytes += bytes;
    void this.transport.delivered().finally(() => {
      this.#unreadBytes -= bytes;
    });
    return answer;
  }

  /** Settles with whether the agent has got the line. */
  async deliver(line: string): Promise<boolean> {
    if (this.run === NO_RUN) return false;
    this.#untold += 1;
    if (this.#untold > LIMITS.requestsInWork.most) this.#gate.shut();
    try {
      await this.transport.send(line);
      return await this.transport.delivered();
    } catch {
      // The link has ended: what was not delivered is sent again over the next one.
      return false;
    } finally {
      this.#untold -= 1;
      this.#openGate();
    }
  }

  /** Let go of the agent without a goodbye: it dials again, and goes on with whoever serves it then. */
  async handOver(): Promise<void> {
    this.#leaving = 'lost';
    await this.transport.handOver();
  }

  /** Make room for another agent. Settles when all that has arrived of this one was heard. */
  async giveWay(): Promise<void> {
    this.#leaving = 'replaced';
    this.transport.giveWay();
    await this.#left;
  }

  /** Tell the agent to leave: by its bridge, which ends all that it started; else by a goodbye on its link. */
  async dismiss(): Promise<void> {
    if (this.#via === 'agent') return this.transport.close();
    await this.transport.send(encodeBridgeOrder({ type: 'bridge', subtype: 'stop', mode: 'gently' }));
  }

  async #read(): Promise<void> {
    try {
      const lines = this.transport.receive();
      while (await this.#hearNext(lines));
    } catch {
      await this.handOver();
    }
    this.#peer.close();
    this.#toPeer.end();
    this.#state = 'gone';
    this.#callbacks.onLeft(this.#leaving);
  }

  /** Hear what has arrived; false when nothing more will. In a call of its own: none that waits may keep a long line. */
  async #hearNext(lines: AsyncIterator<WireLine, undefined>): Promise<boolean> {
    const { value: first, done } = await lines.next();
    if (done) return false;
    for (let line: WireLine | undefined = first; line; line = this.transport.take()) {
      const room = this.#callbacks.onLine(line, this.transport.position ?? undefined);
      if (room) await room;
      if (this.#gate.isShut) await this.#gate.passage();
      this.#heard += 1;
      if (this.#heard % LINES_A_LOOK === 0 && turns.isOver) await turns.rest();
    }
    return true;
  }

  #openGate(): void {
    if (this.#gate.isShut && this.#untold <= LIMITS.requestsInWork.most) this.#gate.open();
  }

  async #greet(): Promise<void> {
    this.#enter('greeting');
    // A lossless link delivers the greeting that is on its way; a plain one may have lost it.
    if (this.#greeting && this.transport.link === 'lossless') return;
    const greeting = {};
    this.#greeting = greeting;
    const onGreeted = this.#callbacks.onArrival();
    const answer = await this.#ask();
    if (this.#greeting !== greeting) return;
    this.#greeting = undefined;
    await onGreeted(answer);
    if (this.#state === 'greeting') this.#enter('ready');
  }

  async #ask(): Promise<Greeting> {
    try {
      // The record is for people: it has what sub-agents say, too.
      const greeting = { subtype: 'initialize', forwardSubagentText: true };
      await this.#peer.request(greeting, { timeoutMs: GREETING_TIMEOUT_MS });
      return { agent: 'new' };
    } catch (error) {
      // What the hub cannot read of it is left out: what the agent still asks may be the rest of it.
      const response = error instanceof JsonTooDeepError ? objectAt(error.shallow, 'response') : undefined;
      if (response?.subtype === 'success') return { agent: 'new' };
      if (!response && !(error instanceof ControlRefusedError)) return { agent: 'silent' };
      const { pending_permission_requests: pending } =
        response ?? (error instanceof ControlRefusedError ? error.response : {});
      // What could not be read of a long answer is not to be taken for nothing.
      if (response && !Array.isArray(pending)) return { agent: 'silent' };
      return { agent: 'known', pending: Array.isArray(pending) ? pending : [] };
    }
  }

  #enter(state: AgentConnectionState): void {
    if (this.#state === state || this.#state === 'gone') return;
    this.#state = state;
    this.#callbacks.onState(state);
  }
}
