import {
  enderAfter,
  exitWords,
  isJsonObject,
  type JsonObject,
  messageOf,
  STATE_WORDS,
  type WireLine,
} from '@signalbox/protocol';
import {
  answeredRequest,
  answerMessage,
  answerOfHost,
  askMessage,
  cancelMessage,
  HostAsks,
} from '@signalbox/protocol/hub';
import type { Transport } from '@signalbox/transport';
import type {
  HubStream,
  HubStreamState,
  PermissionRequest,
  PersonAnswer,
  SessionState,
  SnapshotMessage,
  StreamMessage,
} from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { endOfAsk } from '../hub/author-words.ts';
import { FreshPreviews } from '../hub/fresh-previews.ts';
import { RecordLines } from './record-lines.ts';

/** How many entries of the record are told at the start. */
const TAIL = 200;

/** Options of {@link HubAgent}. */
export interface HubAgentOptions {
  stream: HubStream;
  session: string;
  /** Whoever is at its other end talks as if to an agent. */
  transport: Transport;
}

/** A session of a hub, as an agent at the other end of a transport: for hosts that know agents and no hubs. */
export class HubAgent {
  readonly #options: HubAgentOptions;
  readonly #lines = new RecordLines();
  readonly #previews = new FreshPreviews();
  /** What the agent asks, whoever is going to answer. */
  readonly #open = new Map<string, PermissionRequest>();
  /** By the host and not by the device: other terminals of this machine look the same from the hub. */
  readonly #asks = new HostAsks();
  /** Settles when what was said before is told: only then is known what the agent offers. */
  readonly #told: Promise<void>;
  #wasTold: () => void = () => {};
  /** The last entry of what a snapshot announced. */
  #historyEnds: number | undefined;
  #history: 'coming' | 'told' = 'coming';
  #activity: SessionState = 'idle';
  #isLaunched = false;
  #isEndTold = false;
  #endedBy: string | undefined;
  #connection: HubStreamState = 'connecting';

  constructor(options: HubAgentOptions) {
    this.#options = options;
    this.#told = new Promise((resolve) => {
      this.#wasTold = resolve;
    });
  }

  /** Serve the host until it leaves. */
  async run(): Promise<void> {
    const { stream, session, transport } = this.#options;
    const following = stream.watch(session, (message) => this.#hear(message), { tail: TAIL });
    try {
      for await (const line of transport.receive()) this.#heard(line);
    } finally {
      following.end();
    }
  }

  connectionIs(state: HubStreamState): void {
    if (state === 'waiting' && this.#connection === 'open')
      this.#note('The connection to the hub is lost; trying again. What you send is kept.', 'warning');
    if (state === 'open' && this.#connection === 'waiting') this.#note('The hub is back.');
    if (state === 'refused') this.#note('The hub does not know this token any more.', 'warning');
    // Each attempt passes through here: only what it comes to is news.
    if (state !== 'connecting') this.#connection = state;
  }

  /** Why nothing is heard of the agent at the moment. */
  absence(): string | undefined {
    if (this.#connection === 'waiting') return 'The hub is away; what you send is kept.';
    if (this.#activity === 'exited') return `${this.#endWords}; ${this.#afterEnd}`;
    if (this.#activity === 'disconnected') return STATE_WORDS.disconnected.sentence;
    return undefined;
  }

  get #endWords(): string {
    return harmless(exitWords({ code: 0, signal: null }, this.#endedBy));
  }

  get #afterEnd(): string {
    return this.#isLaunched ? 'a prompt starts it again' : 'prompts wait until it is started again';
  }

  #hear(message: StreamMessage): void {
    switch (message.type) {
      case 'sdk-message': {
        if (isJsonObject(message.message))
          this.#endedBy = enderAfter(this.#endedBy, message.message, message.author);
        const line = this.#lines.lineOf(message);
        if (line) this.#say(line);
        if (message.seq === this.#historyEnds) this.#caughtUp();
        return undefined;
      }
      case 'preview':
        return this.#previewed(message.message);
      case 'snapshot':
        return this.#snapshot(message);
      case 'permission':
        return this.#asked(message.permission);
      case 'prompt':
        return this.#lines.promptIs(message.prompt);
      case 'activity':
        this.#activity = message.state;
        return undefined;
      case 'exit':
        this.#activity = 'exited';
        return this.#agentIsGone();
      case 'reset':
        return this.#note('The hub was put back to an older state. This is what it has now:', 'warning');
      case 'removed':
        return this.#note('The session was removed.', 'warning');
      case 'error':
        return this.#note(message.message, 'warning');
      default:
        return undefined;
    }
  }

  #snapshot({ first, last, activity, session, permissions, prompts }: SnapshotMessage): void {
    this.#historyEnds = last;
    this.#activity = activity;
    this.#isLaunched = session.isLaunched;
    this.#lines.mode = session.mode ?? this.#lines.mode;
    for (const prompt of prompts) this.#lines.promptIs(prompt);
    for (const permission of permissions) this.#asked(permission);
    if (first > last) this.#caughtUp();
  }

  /** Only now: what the record ends with may be the half of a turn, which would look as if it still went on. */
  #caughtUp(): void {
    if (this.#activity === 'exited') this.#agentIsGone();
    else this.#isEndTold = false;
    if (this.#activity === 'disconnected' && this.#history === 'coming') this.#idle();
    this.#history = 'told';
    this.#wasTold();
  }

  #previewed(message: unknown): void {
    if (isJsonObject(message) && this.#previews.isFresh(message)) this.#say(message);
  }

  #asked(permission: PermissionRequest): void {
    const { requestId, request, state } = permission;
    if (state === 'open') {
      this.#open.set(requestId, permission);
      if (this.#asks.begin(requestId)) this.#say(askMessage(requestId, request));
      return;
    }
    this.#open.delete(requestId);
    if (!this.#asks.end(requestId)) return;
    this.#say(cancelMessage(requestId));
    this.#tellEnd(permission);
  }

  #tellEnd(permission: PermissionRequest): void {
    const end = endOfAsk(permission);
    if (end !== undefined) this.#note(end);
  }

  #agentIsGone(): void {
    if (this.#isEndTold) return;
    this.#isEndTold = true;
    this.#idle();
    this.#note(`${this.#endWords}; ${this.#afterEnd}.`, 'warning');
  }

  #idle(): void {
    this.#say({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
  }

  #heard(line: WireLine): void {
    const message = line.json();
    if (!isJsonObject(message)) return;
    const work = this.#perform(message);
    work.catch((error: unknown) => this.#note(messageOf(error), 'warning'));
  }

  async #perform(message: JsonObject): Promise<void> {
    const { stream, session } = this.#options;
    switch (message.type) {
      case 'user': {
        const { uuid, message: said } = message;
        const content = isJsonObject(said) && typeof said.content === 'string' ? said.content : '';
        const id = typeof uuid === 'string' ? uuid : crypto.randomUUID();
        this.#lines.sent(id);
        this.#lines.promptIs(await stream.prompt(session, content, { id }));
        if (this.absence() !== undefined) this.#queued();
        return undefined;
      }
      case 'control_response': {
        const asked = this.#open.get(answeredRequest(message) ?? '');
        const answer = asked && answerOfHost(message, asked.request);
        if (answer) await this.#answer(asked.requestId, answer);
        return undefined;
      }
      case 'control_request':
        return this.#request(message);
      default:
        return undefined;
    }
  }

  async #answer(requestId: string, answer: PersonAnswer): Promise<void> {
    const { stream, session } = this.#options;
    this.#asks.answering(requestId);
    const { isFirst, permission } = await stream.answer(session, requestId, answer);
    if (!isFirst) this.#tellEnd(permission);
  }

  /** No turn begins before there is an agent. */
  #queued(): void {
    this.#idle();
    this.#note('The prompt is queued: it is delivered when the agent is back.');
  }

  async #request({ request_id: id, request }: JsonObject): Promise<void> {
    if (typeof id !== 'string') return;
    const body = isJsonObject(request) ? request : {};
    const subtype = typeof body.subtype === 'string' ? body.subtype : '';
    const { stream, session } = this.#options;
    const answered = subtype === 'initialize' ? this.#offer() : stream.control(session, { ...body, subtype });
    this.#say(await answerMessage(id, answered));
  }

  async #offer(): Promise<JsonObject> {
    await this.#told;
    return this.#lines.offer();
  }

  #note(content: string, level: 'info' | 'warning' = 'info'): void {
    this.#say({ type: 'system', subtype: 'informational', content, level });
  }

  #say(message: JsonObject): void {
    const stamped =
      message.type === 'system' ? { uuid: crypto.randomUUID(), session_id: '', ...message } : message;
    // A host that has left hears nothing more.
    this.#options.transport.send(JSON.stringify(stamped)).catch(() => {});
  }
}
