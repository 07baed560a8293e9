import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS, type WireLine } from '@signalbox/protocol';
import { Gate } from '../gate.ts';
import { LineQueue } from '../line-queue.ts';
import { AcceptedTransport, type AcceptedTransportOptions } from '../websocket/accepted-transport.ts';
import { EventMemory } from './event-memory.ts';
import { POST_ID_HEADER } from './event-post.ts';
import { decodeEvents, EventsRefusedError } from './events-body.ts';
import { assertJsonContent, readBody } from './read-body.ts';

/** While the consumer is behind, the client is shown this often that the server is not dead. */
export const SIGN_OF_LIFE_MS = 10_000;

/** How a server treats a hybrid client. */
export interface AcceptedHybridTransportOptions extends AcceptedTransportOptions {
  maxBodyBytes?: number;
  signOfLifeMs?: number;
}

/**
 * The server's end of a hybrid client: lines go out over the WebSocket, and come in by POST, and over the WebSocket
 * too if the client sends any there. It waits for the client to dial again unless `surviveDrops` is false.
 */
export class AcceptedHybridTransport extends AcceptedTransport {
  readonly #maxBodyBytes: number;
  readonly #signOfLifeMs: number;
  readonly #inbox: LineQueue;
  readonly #gate = new Gate();
  readonly #memory = new EventMemory();
  #posts = 0;

  constructor(options: AcceptedHybridTransportOptions = {}) {
    super({ surviveDrops: true, ...options });
    this.#maxBodyBytes = options.maxBodyBytes ?? LIMITS.eventsBodyBytes.most;
    this.#signOfLifeMs = options.signOfLifeMs ?? SIGN_OF_LIFE_MS;
    this.#inbox = new LineQueue({ onRoom: () => this.#gate.open() });
    void this.#passOn(super.receive());
  }

  override receive(): AsyncIterableIterator<WireLine> {
    return this.#inbox.claim();
  }

  /**
   * Answer a POST of this client's events. Whom to let in is the caller's to decide. The answer ends when there is
   * room for more, and a body is not read before: a client that posts one at a time can never outrun the consumer.
   */
  async handlePost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#posts += 1;
    try {
      if (this.#posts > LIMITS.postsAtOnce.most) throw new EventsRefusedError(429, 'Post one at a time.');
      assertJsonContent(request);
      await this.#roomOrGone(response);
      this.#take(
        decodeEvents(await readBody(request, { most: this.#maxBodyBytes })),
        request.headers[POST_ID_HEADER],
      );
      await this.#answerWhenRoom(response);
    } catch (error) {
      refuse(response, error);
    } finally {
      this.#posts -= 1;
    }
  }

  protected override end(error?: Error): void {
    super.end(error);
    // From now on nobody waits for room: the consumer may be gone as well.
    this.#gate.open();
  }

  /** All or nothing, and at once: a POST that is cut off here and comes again finds all of its events known. */
  #take(lines: readonly WireLine[], postId: string | string[] | undefined): void {
    if (this.state === 'closed') throw new EventsRefusedError(410, 'This session is closed.');
    for (const line of this.#memory.admit(lines, typeof postId === 'string' ? postId : undefined)) {
      this.#push(line);
    }
  }

  #push(line: WireLine): void {
    if (!this.#inbox.push(line) && this.state !== 'closed') this.#gate.shut();
  }

  async #passOn(lines: AsyncIterable<WireLine>): Promise<void> {
    try {
      for await (const line of lines) {
        this.#push(line);
        await this.#gate.passage();
      }
      this.#inbox.end();
    } catch (error) {
      this.#inbox.end(error);
    }
  }

  /** The head says that the events are taken, even if the client hears no more than that. */
  async #answerWhenRoom(response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json');
    // For proxies that would keep the signs of life to themselves.
    response.setHeader('x-accel-buffering', 'no');
    if (this.#gate.isShut) {
      response.flushHeaders();
      // White space before a JSON value means nothing.
      const signs = setInterval(() => response.write(' '), this.#signOfLifeMs).unref();
      await this.#roomOrGone(response);
      clearInterval(signs);
    }
    response.end('{}');
  }

  async #roomOrGone(response: ServerResponse): Promise<void> {
    if (!this.#gate.isShut || response.destroyed) return;
    const gone = new Promise((resolve) => response.once('close', resolve));
    await Promise.race([this.#gate.passage(), gone]);
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  // Anything else means that the client has left.
  if (!(error instanceof EventsRefusedError)) return void response.destroy();
  response.writeHead(error.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: error.message }));
}
