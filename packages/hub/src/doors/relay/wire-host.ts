import { setMaxListeners } from 'node:events';
import {
  type ControlRequestBody,
  hasMoreValues,
  isJsonObject,
  isTooDeep,
  type JsonObject,
  JsonTooDeepError,
  LIMITS,
  type Limit,
  type SignalboxError,
  type WireLine,
} from '@signalbox/protocol';
import {
  answeredRequest,
  answerMessage,
  answerOfHost,
  type Cursor,
  refusalMessage,
} from '@signalbox/protocol/hub';
import { viewerOf } from '../../auth/identity.ts';
import { BodyTooLongError, TooManyValuesError } from '../../base/request-errors.ts';
import { turns } from '../../base/turns.ts';
import type { SessionService } from '../../service/session-service.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import { STREAM_CLOSE } from '../../sessions/viewer.ts';
import type { Device } from '../../store/device.ts';
import type { Store } from '../../store/store.ts';
import { problemOf } from '../http/problem.ts';
import type { RecentRequests } from '../http/recent-requests.ts';
import { HostSessions } from './host-sessions.ts';
import type { HostTransport } from './host-transport.ts';
import { type LineStyle, LineSubscription } from './line-subscription.ts';
import { SharedSessionError, UnreadableLineError } from './relay-errors.ts';

/** How much of what one host said is worked on at once. */
export const MAX_IN_WORK = 100;

/** What only the host that starts an agent can give it. */
const OF_A_START = ['hooks', 'sdkMcpServers', 'jsonSchema', 'agents', 'systemPrompt', 'appendSystemPrompt'];

/** What a {@link WireHost} works with. */
export interface WireHostParts {
  store: Store;
  sessions: SessionService;
  requests: RecentRequests;
}

/** Who a host is, and how it wants to be told. */
export interface WireHostOptions {
  device: Device;
  style: LineStyle;
  /** How it hears of what went wrong with something it said. */
  complaint: (code: string, message: string) => string;
  /** The session that it is held to; without it, it hears those that it is attached to. */
  only?: LiveSession;
}

/** One connection that speaks an agent's own protocol: it hears agents of sessions, and is heard as their host. */
export class WireHost {
  readonly #parts: WireHostParts;
  readonly #options: WireHostOptions;
  readonly #transport: HostTransport;
  readonly #gone = new AbortController();
  readonly #inWork = new Set<Promise<void>>();
  readonly #sessions: HostSessions;
  /** What it has asked and got no answer to, by its own id. */
  readonly #asking = new Map<string, AbortController>();
  /** Why it was not let in as it wants to be: its prompts may count on hooks that are not there. */
  #refusal: SharedSessionError | undefined;
  /** All that the host said up to here is dealt with. */
  #heard: Promise<unknown> = Promise.resolve();

  constructor(parts: WireHostParts, options: WireHostOptions, transport: HostTransport) {
    this.#parts = parts;
    this.#options = options;
    this.#transport = transport;
    this.#sessions = new HostSessions(options.only);
    // All that is worked on may wait for it.
    setMaxListeners(MAX_IN_WORK + 1, this.#gone.signal);
  }

  isAttachedTo(live: LiveSession): boolean {
    return this.#sessions.has(live);
  }

  /** Listen to this session from now on, or after a cursor. */
  attach(live: LiveSession, cursor?: Cursor): void {
    const subscription = new LineSubscription(live, this.#parts.store, this.#options.style, {
      viewer: viewerOf(this.#options.device),
      write: (line) => this.#transport.write(line),
      drained: () => this.#transport.drained(),
      isBehind: () => this.#transport.isBehind,
      dismiss: () => this.#transport.dismiss(STREAM_CLOSE.tooSlow),
      fail: (error) => this.#complain(error),
    });
    this.#sessions.add(live, subscription);
    subscription.start(cursor).catch((error: unknown) => this.#complain(error));
  }

  /** Listen to this session no more. */
  detach(live: LiveSession): void {
    this.#sessions.remove(live);
  }

  /** Hear the host out; settles when it is gone. */
  async run(): Promise<void> {
    try {
      for await (const line of this.#transport.receive()) {
        const { position } = this.#transport;
        const work = this.#hear(line).catch((error: unknown) => this.#complain(error));
        // Acknowledged is what will not be needed again: of a connection that breaks, the rest comes over the next.
        this.#heard = Promise.all([this.#heard, work]).then(
          () => position && this.#transport.acknowledge(position),
        );
        await this.#roomAfter(work);
        // One who does not read its answers is not heard until it does.
        if (this.#transport.isBehind) await this.#transport.drained();
        if (turns.isOver) await turns.rest();
      }
    } catch {
      // A host that breaks off has left like any other.
    }
    this.#sessions.removeAll();
    this.#gone.abort();
  }

  /** One who asks more at once than is worked on is read no further until something of it is done. */
  async #roomAfter(work: Promise<void>): Promise<void> {
    this.#inWork.add(work);
    void work.then(() => this.#inWork.delete(work));
    if (this.#inWork.size >= MAX_IN_WORK) await Promise.race(this.#inWork);
  }

  async #hear(line: WireLine): Promise<void> {
    const problem = problemOfSaid(line);
    if (problem) return this.#refuse(line, problem);
    const message = messageIn(line);
    // A line with two types would be another one to a bridge than it is here.
    if (typeof message?.type !== 'string' || !line.head().isClear) throw new UnreadableLineError();
    switch (message.type) {
      case 'user':
        return this.#prompt(message);
      case 'control_request':
        return this.#request(message);
      case 'control_response':
        return this.#answer(message);
      case 'control_cancel_request':
        return this.#asking.get(String(message.request_id))?.abort();
      default:
        return isOfTheHub(message.type) ? undefined : this.#passOn(message, line);
    }
  }

  #refuse(line: WireLine, error: SignalboxError): void {
    const { type, requestId } = line.head();
    if (type !== 'control_request' || requestId === undefined) return this.#complain(error);
    this.#transport.write(JSON.stringify(refusalMessage(requestId, error)));
  }

  async #prompt({ uuid, message, session_id: named }: JsonObject): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    const { id } = this.#sessions.addressee(named);
    const clientId = typeof uuid === 'string' ? uuid : crypto.randomUUID();
    const content = isJsonObject(message) ? message.content : undefined;
    await this.#parts.sessions.prompt(this.#options.device, id, { clientId, content, delivery: 'queue' });
  }

  async #answer(message: JsonObject): Promise<void> {
    const requestId = answeredRequest(message);
    const live = requestId === undefined ? undefined : this.#sessions.asking(requestId);
    const asked = requestId === undefined ? undefined : live?.asks.openOne(requestId);
    const answer = asked && answerOfHost(message, asked.request);
    // What nobody asks any more was answered by somebody else: the host has been told.
    if (!live || !asked || !answer) return;
    this.#sessions.answering(live, asked.requestId);
    await this.#parts.sessions.answer(this.#options.device, live.id, asked.requestId, answer);
  }

  async #passOn({ session_id: named }: JsonObject, line: WireLine): Promise<void> {
    await this.#parts.sessions.passOn(this.#options.device, this.#sessions.addressee(named).id, line);
  }

  async #request({ request_id: requestId, request, session_id: named }: JsonObject): Promise<void> {
    if (typeof requestId !== 'string') return;
    const asking = new AbortController();
    this.#asking.set(requestId, asking);
    const body = isBody(request) ? request : { subtype: '' };
    const answer = this.#responseTo(requestId, body, named, asking.signal);
    const message = await answerMessage(requestId, answer);
    if (this.#asking.get(requestId) === asking) this.#asking.delete(requestId);
    this.#transport.write(JSON.stringify(message));
  }

  async #responseTo(
    requestId: string,
    request: ControlRequestBody,
    named: unknown,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { device } = this.#options;
    const live = this.#sessions.addressee(named);
    if (request.subtype === 'initialize') {
      // Known before the next line is heard: hosts send their first prompt without waiting for the answer.
      this.#refusal = refusalOf(request);
      if (this.#refusal) throw this.#refusal;
      return live.agent.introduction(AbortSignal.any([this.#gone.signal, signal]));
    }
    const ask = () => this.#parts.sessions.control(device, live.id, request, { signal });
    // Over a plain link nothing is said twice: an id that comes again is that of another request.
    if (this.#transport.link === 'plain') return ask();
    return this.#parts.requests.answer(`${device.id} ${live.id} ${requestId}`, request, ask);
  }

  #complain(error: unknown): void {
    const { code, detail } = problemOf(error);
    this.#transport.write(this.#options.complaint(code, detail));
  }
}

/** What is between the hub and its hosts, or between the hub and bridges: no agent gets it from a host. */
const OF_THE_HUB: ReadonlySet<string> = new Set(['hub', 'status', 'bridge', 'keep_alive']);

function isOfTheHub(type: string): boolean {
  return OF_THE_HUB.has(type) || type.startsWith('control_');
}

/** The hub has greeted the agent before any host, which hears what it answered and can set nothing of its start. */
function refusalOf(request: ControlRequestBody): SharedSessionError | undefined {
  const wanted = OF_A_START.find((field) => !isNothing(request[field]));
  return wanted === undefined ? undefined : new SharedSessionError(wanted);
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === '';
}

/** How long what a host says may be, by its type; all else is short, or not read. */
const LENGTHS = new Map<string | undefined, Limit>([
  ['user', LIMITS.bodyBytes],
  ['control_response', LIMITS.answerBytes],
]);

/** Why a line of a host is not read; undefined when it is. */
function problemOfSaid(line: WireLine): SignalboxError | undefined {
  const limit = LENGTHS.get(line.head().type) ?? LIMITS.requestBytes;
  if (line.byteLength > limit.most) return new BodyTooLongError(limit);
  if (isTooDeep(line.bytes(), LIMITS.contentDepth)) return new JsonTooDeepError(LIMITS.contentDepth);
  return hasMoreValues(line.text(), LIMITS.bodyValues.most) ? new TooManyValuesError() : undefined;
}

function isBody(value: unknown): value is ControlRequestBody {
  return isJsonObject(value) && typeof value.subtype === 'string';
}

function messageIn(line: WireLine): JsonObject | undefined {
  try {
    const message = line.json();
    return isJsonObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
