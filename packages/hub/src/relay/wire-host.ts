import { setMaxListeners } from 'node:events';
import {
  ControlRefusedError,
  type ControlRequestBody,
  isJsonObject,
  isTooDeep,
  type JsonObject,
  JsonTooDeepError,
  LIMITS,
  type Limit,
  messageOf,
  SignalboxError,
  type WireLine,
} from '@signalbox/protocol';
import { answeredRequest, answerOfHost, type Cursor } from '@signalbox/protocol/hub';
import { BodyTooLongError, TooManyValuesError } from '../api/api-errors.ts';
import type { Desk } from '../api/desk.ts';
import { hasMoreValues } from '../api/json-values.ts';
import { problemOf } from '../api/problem.ts';
import { viewerOf } from '../auth/permit.ts';
import type { LiveSession } from '../live/live-session.ts';
import { STREAM_CLOSE } from '../live/viewer.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { turns } from '../work/turns.ts';
import type { HostTransport } from './host-transport.ts';
import { type LineStyle, LineSubscription } from './line-subscription.ts';
import type { RecentRequests } from './recent-requests.ts';
import { NobodyToFollowError, SharedSessionError } from './relay-errors.ts';

/** How much of what one host said is worked on at once. */
export const MAX_IN_WORK = 100;

/** What only the host that starts an agent can give it. */
const OF_A_START = ['hooks', 'sdkMcpServers', 'jsonSchema', 'agents', 'systemPrompt', 'appendSystemPrompt'];

/** What a {@link WireHost} works with. */
export interface WireHostParts {
  store: Store;
  desk: Desk;
  requests: RecentRequests;
}

/** Who a host is, and how it wants to be told. */
export interface WireHostOptions {
  device: Device;
  style: LineStyle;
  /** How it hears of what went wrong with something it said. */
  complaint: (code: string, message: string) => string;
}

/** One connection that speaks an agent's own protocol: it hears a session's agent, and is heard as its host. */
export class WireHost {
  readonly #parts: WireHostParts;
  readonly #options: WireHostOptions;
  readonly #transport: HostTransport;
  readonly #gone = new AbortController();
  readonly #inWork = new Set<Promise<void>>();
  #live: LiveSession | undefined;
  #subscription: LineSubscription | undefined;
  /** All that the host said up to here is dealt with. */
  #heard: Promise<unknown> = Promise.resolve();

  constructor(parts: WireHostParts, options: WireHostOptions, transport: HostTransport) {
    this.#parts = parts;
    this.#options = options;
    this.#transport = transport;
    // All that is worked on may wait for it.
    setMaxListeners(MAX_IN_WORK + 1, this.#gone.signal);
  }

  get session(): LiveSession | undefined {
    return this.#live;
  }

  /** Listen to this session from now on, or after a cursor, and to no other. */
  attach(live: LiveSession, cursor?: Cursor): void {
    this.#subscription?.end();
    this.#live = live;
    this.#subscription = new LineSubscription(live, this.#parts.store, this.#options.style, {
      viewer: viewerOf(this.#options.device),
      write: (line) => this.#transport.write(line),
      drained: () => this.#transport.drained(),
      isBehind: () => this.#transport.isBehind,
      dismiss: () => this.#transport.dismiss(STREAM_CLOSE.tooSlow),
      fail: (error) => this.#complain(error),
    });
    this.#subscription.start(cursor).catch((error: unknown) => this.#complain(error));
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
    this.#subscription?.end();
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
    switch (message?.type) {
      case 'user':
        return this.#prompt(message);
      case 'control_request':
        return this.#request(message);
      case 'control_response':
        return this.#answer(message);
      default:
        // Signs of life, and what a later protocol may say.
        return undefined;
    }
  }

  #refuse(line: WireLine, error: SignalboxError): void {
    const { type, requestId } = line.head();
    if (type !== 'control_request' || requestId === undefined) return this.#complain(error);
    const response = refusal(requestId, error);
    this.#transport.write(JSON.stringify({ type: 'control_response', response }));
  }

  async #prompt({ uuid, message }: JsonObject): Promise<void> {
    const clientId = typeof uuid === 'string' ? uuid : crypto.randomUUID();
    const content = isJsonObject(message) ? message.content : undefined;
    await this.#parts.desk.prompt(this.#options.device, this.#here.id, {
      clientId,
      content,
      delivery: 'queue',
    });
  }

  async #answer(message: JsonObject): Promise<void> {
    const requestId = answeredRequest(message);
    const asked = this.#here.asks.open.find((open) => open.requestId === requestId);
    const answer = asked && answerOfHost(message, asked.request);
    // What nobody asks any more was answered by somebody else: the host has been told.
    if (!asked || !answer) return;
    this.#subscription?.answering(asked.requestId);
    await this.#parts.desk.answer(this.#options.device, this.#here.id, asked.requestId, answer);
  }

  async #request({ request_id: requestId, request }: JsonObject): Promise<void> {
    if (typeof requestId !== 'string') return;
    const response = await this.#responseTo(requestId, isBody(request) ? request : { subtype: '' }).then(
      (said) => ({ subtype: 'success', request_id: requestId, response: said }),
      (error: unknown) => refusal(requestId, error),
    );
    this.#transport.write(JSON.stringify({ type: 'control_response', response }));
  }

  async #responseTo(requestId: string, request: ControlRequestBody): Promise<JsonObject> {
    const { device } = this.#options;
    const live = this.#here;
    if (request.subtype === 'initialize') return introduction(live, request, this.#gone.signal);
    const ask = () => this.#parts.desk.control(device, live.id, request);
    // Over a plain link nothing is said twice: an id that comes again is that of another request.
    if (this.#transport.link === 'plain') return ask();
    return this.#parts.requests.answer(`${device.id} ${live.id} ${requestId}`, request, ask);
  }

  get #here(): LiveSession {
    if (!this.#live) throw new NobodyToFollowError();
    return this.#live;
  }

  #complain(error: unknown): void {
    const { code, detail } = problemOf(error);
    this.#transport.write(this.#options.complaint(code, detail));
  }
}

/** The hub has greeted the agent before any host: hosts hear what it answered. */
function introduction(
  live: LiveSession,
  request: ControlRequestBody,
  signal: AbortSignal,
): Promise<JsonObject> {
  const wanted = OF_A_START.find((field) => !isNothing(request[field]));
  if (wanted !== undefined) throw new SharedSessionError(wanted);
  return live.agent.introduction(signal);
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === '';
}

function refusal(requestId: string, error: unknown): JsonObject {
  // An agent's own refusal is passed on as it said it.
  if (error instanceof ControlRefusedError) return { ...error.response, request_id: requestId };
  const code = error instanceof SignalboxError ? { error_code: error.code.toLowerCase() } : {};
  return { subtype: 'error', request_id: requestId, error: messageOf(error), ...code };
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
