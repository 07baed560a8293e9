import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Limit } from '@signalbox/protocol';
import { EventsRefusedError, readBody } from '@signalbox/transport';
import type { HeaderReader } from '../../auth/gatekeeper.ts';
import { readingOf } from '../../base/readings.ts';
import {
  BodyTooLongError,
  BodyTooSlowError,
  ContentTypeError,
  RequestInvalidError,
} from '../../base/request-errors.ts';
import { onAnswerEnd } from './answer-end.ts';
import { BodyChunks } from './body-chunks.ts';
import { forwardedFor } from './forwarded.ts';
import type { RequestPatience } from './request-patience.ts';

/** Of every answer, unless it says otherwise: what a hub says is for whoever asked, and is what it says it is. */
const HEADERS: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A request, and its one answer. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #patience: RequestPatience;
  #isGivenUp = false;

  constructor(request: IncomingMessage, response: ServerResponse, patience: RequestPatience) {
    const [path = '/', query] = (request.url ?? '/').split(/\?(.*)/s, 2);
    this.method = request.method ?? 'GET';
    this.path = path;
    this.query = Object.fromEntries(new URLSearchParams(query));
    this.#request = request;
    this.#response = response;
    this.#patience = patience;
    // One who leaves before the answer must not take the hub along.
    response.on('error', () => {});
  }

  readonly header: HeaderReader = (name) => {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };

  /** Where it comes from, as far as the connection tells, or the node that has passed it on: over the socket of the hub's home, from its own machine. */
  get address(): string {
    return forwardedFor(this.#request) ?? this.#request.socket.remoteAddress ?? 'this machine';
  }

  /** What it was answered with so far. */
  get status(): number {
    return this.#response.statusCode;
  }

  get isAnswered(): boolean {
    return this.#response.headersSent;
  }

  /** Answer now, whatever comes of what is still worked on: nobody is told that. */
  giveUp(status: number, type: string, body: string): void {
    // Who has not said all yet hears of it by what they say.
    if (!this.#request.complete || this.isAnswered || this.isGone) return;
    this.answer(status, type, body);
    this.#isGivenUp = true;
  }

  /** Whether nobody is there any more who could be answered. */
  get isGone(): boolean {
    return this.#response.destroyed || this.#request.socket.destroyed;
  }

  /** Call `release` once the whole answer is on its way to whoever asked, or cannot be any more. */
  onEnd(release: () => void): void {
    onAnswerEnd(this.#response, release);
  }

  /** Raises `CONTENT_TYPE`. */
  expectType(expected: string): void {
    const [type = ''] = (this.header('content-type') ?? '').split(';');
    if (type.trim().toLowerCase() !== expected) throw new ContentTypeError(expected);
  }

  /**
   * The whole body, which somebody who has not signed in has to send at once. Raises `BODY_TOO_LONG`, `BODY_TOO_SLOW`, and
   * `REQUEST_INVALID` when it breaks off.
   */
  async text(limit: Limit, from: 'device' | 'anybody'): Promise<string> {
    const { pauseMs, signInMs } = this.#patience;
    try {
      const body = await readBody(this.#request, limit, {
        reading: readingOf(this.#request, this.#response),
        patience: { pauseMs, wholeMs: from === 'anybody' ? signInMs : undefined },
      });
      return body.toString();
    } catch (error) {
      if (error instanceof EventsRefusedError && error.status === 408) throw new BodyTooSlowError();
      if (error instanceof EventsRefusedError) throw new BodyTooLongError(limit);
      throw new RequestInvalidError('the body breaks off');
    }
  }

  /** The body as it comes; who stops reading can go on where they left. Raises `BODY_TOO_SLOW`. */
  bytes(): AsyncIterable<Uint8Array> {
    return new BodyChunks(this.#request, this.#patience.pauseMs);
  }

  /** What is cut when whoever asks is signed out: the body while it arrives, then a long answer while it is read. */
  get body(): IncomingMessage {
    return this.#request;
  }

  get reply(): ServerResponse {
    return this.#response;
  }

  answer(status: number, type: string, body: string | Uint8Array, headers: OutgoingHttpHeaders = {}): void {
    if (this.#isGivenUp) return;
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    this.#begin(status, { 'content-type': type, 'content-length': content.byteLength, ...headers });
    this.#response.end(content);
  }

  json(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
    this.answer(status, 'application/json', JSON.stringify(value), headers);
  }

  /** Answer with what is read as the client reads: it may be longer than memory. One that cannot be ended is cut. */
  async stream(status: number, type: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
    if (this.#isGivenUp) return;
    this.#begin(status, { 'content-type': type });
    if (this.method === 'HEAD') this.#response.end();
    else await pipeline(Readable.from(chunks), this.#response);
  }

  #begin(status: number, headers: OutgoingHttpHeaders): void {
    this.#response.writeHead(status, { ...HEADERS, ...headers });
  }
}
