import { isJsonObject, messageOf, parseJson, timeLimit } from '@signalbox/protocol';
import type { JsonRoute, RouteAnswer, RouteRequest, StreamedRoute } from '@signalbox/protocol/hub';
import { isAnswerOf } from './answer-shape.ts';
import { type AnswerBody, chunksOf, textOf } from './answer-text.ts';
import { HubRefusedError, HubUnreachableError } from './hub-errors.ts';
import { withParams, withQuery } from './route-path.ts';

/** Where a hub is and who asks. A page of the hub has one part of its token, and the browser's cookie the other. */
export interface HubAddress {
  /** `http://host:port`; nothing for the hub that served the page. */
  url?: string;
  token?: string;
  /** For hubs that the platform's `fetch` does not trust, such as one with a certificate of its own. */
  fetch?: HubFetch;
}

/** As much of `fetch` as is used. */
export type HubFetch = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<{
  ok: boolean;
  status: number;
  /** Read up to a limit; where there is none, `text` is asked for all of it. */
  body?: AnswerBody | null;
  text: () => Promise<string>;
}>;

/** A request to a route, whichever it is. */
interface AnyRequest {
  params?: Readonly<Record<string, string>> | undefined;
  query?: unknown;
  body?: unknown;
}

/** How long a hub may take to answer; an agent that is asked something may take a minute of it. */
const ANSWER_MS = 90_000;

/** How long it may take until a download begins: a backup is copied and checked first. */
const DOWNLOAD_MS = 60 * 60_000;

/** What Node's fetch and its sockets say of a connection that the other side closed. */
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Requests to a hub, checked against its table of routes. What is refused raises `HUB_REFUSED`, and no answer at all `HUB_UNREACHABLE`. */
export class HubRequests {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #fetch: HubFetch;
  readonly #answerMs: number;
  readonly #answerBytes: number | undefined;

  constructor(
    { url = '', token, fetch: ask = (path, request) => fetch(path, request) }: HubAddress = {},
    { answerMs = ANSWER_MS, answerBytes }: { answerMs?: number; answerBytes?: number } = {},
  ) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
    this.#fetch = ask;
    this.#answerMs = answerMs;
    this.#answerBytes = answerBytes;
  }

  /** Any route of the API, by its method and path. */
  async ask<Key extends JsonRoute>(
    key: Key,
    ...[request]: Partial<RouteRequest<Key>> extends RouteRequest<Key>
      ? [RouteRequest<Key>?]
      : [RouteRequest<Key>]
  ): Promise<RouteAnswer<Key>> {
    const { method, path, body } = callOf(key, request);
    const answer = await this.call<RouteAnswer<Key>>(method, path, body);
    if (isAnswerOf(key, answer)) return answer;
    throw new HubRefusedError('ANSWER_UNREADABLE', `No answer of a hub: ${path} lacks what hubs say there.`);
  }

  /** What a route answers, as it is written: with spaces and numbers that reading it as JSON does not keep. */
  async askText<Key extends JsonRoute>(key: Key, request: RouteRequest<Key>): Promise<string> {
    const { method, path } = callOf(key, request);
    const limit = timeLimit(this.#answerMs);
    const response = await this.#response(path, this.#request(method), this.#answerMs, limit);
    if (!response.ok) throw refusal(response.status, await answerIn(response, this.#answerBytes));
    return textOf(response, this.#answerBytes);
  }

  /** What a route gives that may be longer than memory, as it comes. */
  async download<Key extends StreamedRoute>(
    key: Key,
    ...[request]: Partial<RouteRequest<Key>> extends RouteRequest<Key>
      ? [RouteRequest<Key>?]
      : [RouteRequest<Key>]
  ): Promise<AsyncIterable<Uint8Array>> {
    const { method, path } = callOf(key, request);
    // Once it has begun it takes as long as it takes.
    const response = await this.#response(path, this.#request(method), DOWNLOAD_MS);
    if (!response.ok || !response.body)
      throw refusal(response.status, await answerIn(response, this.#answerBytes));
    return chunksOf(response.body, (error) => new HubUnreachableError(this.#url || 'this address', error));
  }

  /** Any request of the API. What it answers is not looked at: it is what the description of the API says, if a hub answers. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const limit = timeLimit(this.#answerMs);
    const response = await this.#response(path, this.#request(method, body), this.#answerMs, limit);
    const answer = await answerIn(response, this.#answerBytes);
    if (!response.ok) throw refusal(response.status, answer);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's description says what it answers
    return answer as Answer;
  }

  #request(method: string, body?: unknown): Omit<Parameters<HubFetch>[1], 'signal'> {
    const headers: Record<string, string> = {};
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    return { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  }

  /** Settles when the answer begins, within `answerMs`. */
  async #response(
    path: string,
    request: Omit<Parameters<HubFetch>[1], 'signal'>,
    answerMs: number,
    ...limits: AbortSignal[]
  ): Promise<Awaited<ReturnType<HubFetch>>> {
    const patience = new AbortController();
    // It must keep the process alive: Node's fetch hangs, and holds nothing open, when a proxy drops its connection at once.
    const timer = setTimeout(() => patience.abort(), answerMs);
    const signal = AbortSignal.any([patience.signal, ...limits]);
    const attempt = () => this.#fetch(this.#url + path, { ...request, signal });
    try {
      return await attempt().catch((error: unknown) => {
        if (request.method === 'GET' && isClosedConnection(error)) return attempt();
        throw error;
      });
    } catch (error) {
      throw new HubUnreachableError(this.#url || 'this address', error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A request as it is sent: the key of a route is its method and its path. */
function callOf(
  key: string,
  { params = {}, query, body }: AnyRequest = {},
): { method: string; path: string; body: unknown } {
  const [method = '', route = ''] = key.split(' ');
  return { method, path: withQuery(withParams(route, params), isJsonObject(query) ? query : {}), body };
}

/**
 * Whether the other side closed the connection without an answer. One that was kept from an earlier request may be closed in the
 * very moment in which it is used again: browsers then ask once more what only reads, and Node does not.
 */
function isClosedConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && CLOSED.has(cause.code)) return true;
  return false;
}

async function answerIn(response: Awaited<ReturnType<HubFetch>>, most?: number): Promise<unknown> {
  const text = await textOf(response, most);
  try {
    return parseJson(text);
  } catch (error) {
    // Something between us and the hub has answered in its place.
    throw new HubRefusedError(
      'ANSWER_UNREADABLE',
      `No answer of a hub: ${messageOf(error)}.`,
      response.status,
    );
  }
}

function refusal(status: number, answer: unknown): HubRefusedError {
  const { code, detail } = isJsonObject(answer) ? answer : {};
  return new HubRefusedError(
    typeof code === 'string' ? code : 'UNEXPECTED',
    typeof detail === 'string' ? detail : `The hub answered with ${status}.`,
    status,
  );
}
