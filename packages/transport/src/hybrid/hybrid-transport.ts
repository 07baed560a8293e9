import type { WebSocket } from 'ws';
import { refused } from '../gate.ts';
import type { OutgoingLine } from '../outgoing-line.ts';
import { settledWithin } from '../settled-within.ts';
import { TransportClosedError, UndeliveredError } from '../transport-errors.ts';
import { identityHeaders } from '../websocket/identity-headers.ts';
import type { ReconnectPolicy } from '../websocket/reconnect-policy.ts';
import { type Agreement, CLOSE_TIMEOUT_MS } from '../websocket/socket-transport.ts';
import { WebSocketTransport, type WebSocketTransportOptions } from '../websocket/websocket-transport.ts';
import { EventPoster } from './event-poster.ts';
import { eventFlawOf } from './events-body.ts';
import { eventsUrl, tokenIn } from './events-url.ts';
import { type HybridPostFailedError, HybridPostRefusedError } from './hybrid-errors.ts';

/** How long the goodbye on the socket may come after an answer that the session is over. */
const GOODBYE_MS = 1000;

const GONE = 410;

/** How a {@link HybridTransport} dials and posts. */
export interface HybridTransportOptions extends WebSocketTransportOptions {
  postRetry?: Partial<ReconnectPolicy>;
  /** How long a POST may hear nothing before it is tried again. */
  postTimeoutMs?: number;
}

/**
 * Receives lines over a WebSocket and sends them by HTTP POST, so that what it sends does not depend on a connection
 * that may break. Posting begins with the first connection, and goes on while the socket is away.
 */
export class HybridTransport extends WebSocketTransport {
  readonly #poster: EventPoster;
  readonly #options: HybridTransportOptions;
  #goodbye: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: URL, options: HybridTransportOptions = {}) {
    const target = eventsUrl(url);
    super(url, options);
    this.#options = options;
    this.#poster = new EventPoster(target, {
      headers: () => {
        const { env, ingressToken = tokenIn(url) } = options;
        return {
          ...identityHeaders({ ...(env ? { env } : {}), ...(ingressToken ? { ingressToken } : {}) }),
          ...options.headers,
        };
      },
      retry: options.postRetry,
      timeoutMs: options.postTimeoutMs,
      onFailed: (error) => this.#postingFailed(error),
    });
  }

  override send(line: OutgoingLine): Promise<void> {
    const problem = this.states.isOpen ? eventFlawOf(line) : new TransportClosedError();
    return problem ? refused(problem) : this.#poster.send(line);
  }

  override close(): Promise<void> {
    this.#closing ??= this.#deliverAndClose();
    return this.#closing;
  }

  protected override attachSocket(webSocket: WebSocket, agreement: Agreement): void {
    super.attachSocket(webSocket, agreement);
    this.#poster.start();
  }

  protected override end(error?: Error): void {
    clearTimeout(this.#goodbye);
    super.end(error);
    this.#poster.stop(error ?? new TransportClosedError());
  }

  async #deliverAndClose(): Promise<void> {
    if (this.state === 'closed') return;
    const wasIdle = this.state === 'idle';
    this.states.set('closing');
    const timeoutMs = this.#options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS;
    if (!wasIdle) await settledWithin(this.#poster.drained(), timeoutMs);
    const undelivered = this.#poster.undelivered;
    await super.close();
    if (undelivered > 0) throw new UndeliveredError(undelivered);
  }

  #postingFailed(error: HybridPostRefusedError | HybridPostFailedError): void {
    // A server that closed says so both ways; heard here first, it is still a goodbye and no failure.
    const isOver = error instanceof HybridPostRefusedError && error.status === GONE;
    if (isOver) this.#goodbye = setTimeout(() => this.end(error), GOODBYE_MS).unref();
    else this.end(error);
  }
}
