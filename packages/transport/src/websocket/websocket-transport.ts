import type { Agent, IncomingMessage } from 'node:http';
import { LIMITS, messageOf, SignalboxError } from '@signalbox/protocol';
import { WebSocket } from 'ws';
import { ERROR_HEADER, LINK_HEADER, LINK_VERSION, RUN_HEADER } from '../link/link-frame.ts';
import { shownUrl } from '../shown-url.ts';
import { TransportClosedError } from '../transport-errors.ts';
import { identityHeaders } from './identity-headers.ts';
import { LAST_ID_HEADER, lastIdHeader } from './last-request-id.ts';
import { FRAME_ALLOWANCE_BYTES } from './line-socket.ts';
import {
  DEFAULT_RECONNECT,
  isFinalClose,
  isFinalStatus,
  type ReconnectPolicy,
  reconnectDelayMs,
} from './reconnect-policy.ts';
import { type Agreement, SocketTransport, type SocketTransportOptions } from './socket-transport.ts';

/** How often a plain peer is told that this side is there. */
export const KEEP_ALIVE_INTERVAL_MS = 60_000;

/** How long a server may take to answer the upgrade request. */
export const HANDSHAKE_TIMEOUT_MS = 30_000;

/** How a {@link WebSocketTransport} dials. */
export interface WebSocketTransportOptions extends SocketTransportOptions {
  headers?: Record<string, string>;
  /** A token that did not come from the environment. */
  ingressToken?: string;
  env?: NodeJS.ProcessEnv;
  /** Makes the connections, for example by a socket in the file system. */
  agent?: Agent | undefined;
  reconnect?: Partial<ReconnectPolicy>;
  keepAliveIntervalMs?: number;
  handshakeTimeoutMs?: number;
  /** Hears why an attempt failed or a connection broke, and whether another attempt follows. */
  onFailure?: (error: ConnectionLostError, triesAgain: boolean) => void;
}

/** The connection was refused, or broke and did not come back. */
export class ConnectionLostError extends SignalboxError {
  /** What the server answered in the place of an upgrade. */
  readonly status: number | undefined;

  constructor(message: string, cause?: unknown, status?: number) {
    super('CONNECTION_LOST', message, { cause });
    this.status = status;
  }
}

/** Dials a WebSocket, speaks lines over it, and comes back when it breaks. */
export class WebSocketTransport extends SocketTransport {
  readonly #url: URL;
  readonly #options: WebSocketTransportOptions;
  readonly #policy: ReconnectPolicy;
  #keepAlive: NodeJS.Timeout | undefined;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #dialing: WebSocket | undefined;
  #onFirstOutcome: (error?: Error) => void = () => {};
  #connecting: Promise<void> | undefined;

  constructor(url: URL, options: WebSocketTransportOptions = {}) {
    super(options);
    this.#url = url;
    this.#options = options;
    this.#policy = { ...DEFAULT_RECONNECT, ...options.reconnect };
  }

  /** Dial. Settles with the first connection; rejects with {@link ConnectionLostError} when the attempts are used up. */
  connect(): Promise<void> {
    this.#connecting ??= new Promise((resolve, reject) => {
      if (this.state !== 'idle') return reject(new TransportClosedError());
      this.#onFirstOutcome = (error) => (error ? reject(error) : resolve());
      const { keepAliveIntervalMs = KEEP_ALIVE_INTERVAL_MS } = this.#options;
      this.#keepAlive = setInterval(() => this.#sendKeepAlive(), keepAliveIntervalMs).unref();
      this.states.set('connecting');
      this.#dial();
    });
    return this.#connecting;
  }

  protected override dropped(code: number, reason: string): void {
    if (this.isFarewell(code)) return this.end();
    const why = reason ? `${code} ${reason}` : String(code);
    this.#failed(
      new ConnectionLostError(`The connection to ${shownUrl(this.#url)} was closed: ${why}.`),
      isFinalClose(code),
    );
  }

  protected override end(error?: Error): void {
    clearTimeout(this.#retry);
    clearInterval(this.#keepAlive);
    super.end(error);
    this.#dialing?.terminate();
    this.#onFirstOutcome(error ?? new TransportClosedError());
  }

  #dial(): void {
    let socket: WebSocket;
    try {
      socket = this.#open();
    } catch (error) {
      // A header or URL that cannot be sent today cannot be sent tomorrow.
      return this.#failed(this.#notConnected(error), true);
    }
    this.#dialing = socket;
    let agreement: Agreement | undefined;
    let problem: unknown;
    let status: number | undefined;
    socket.once('upgrade', (response) => {
      agreement = this.#agreement(response);
    });
    socket.once('unexpected-response', (_request, response) => {
      status = response.statusCode;
      const code = response.headers[ERROR_HEADER];
      problem = new Error(`the server answered ${[status, code].flat().filter(Boolean).join(' ')}`);
      socket.terminate();
    });
    socket.on('error', (error) => {
      problem ??= error;
    });
    const onClose = (): void => {
      this.#dialing = undefined;
      this.#failed(this.#notConnected(problem, status), status !== undefined && isFinalStatus(status));
    };
    socket.once('close', onClose);
    socket.once('open', () => {
      if (!agreement) return;
      socket.off('close', onClose);
      this.#dialing = undefined;
      this.#failures = 0;
      this.attachSocket(socket, agreement);
      this.#onFirstOutcome();
    });
  }

  #open(): WebSocket {
    const { headers, lossless = false, maxLineBytes = LIMITS.lineBytes.most } = this.#options;
    const offer = lossless ? { [LINK_HEADER]: LINK_VERSION, [RUN_HEADER]: this.sender.epoch } : {};
    const { agent } = this.#options;
    return new WebSocket(this.#url, {
      headers: { ...this.#identity(), ...offer, ...headers },
      ...(agent ? { agent } : {}),
      handshakeTimeout: this.#options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
      maxPayload: maxLineBytes + FRAME_ALLOWANCE_BYTES,
      perMessageDeflate: false,
      autoPong: false,
      // A line is passed on as it came, also when an agent wrote bytes that are not UTF-8.
      skipUTF8Validation: true,
      ...(isPrivate(this.#url) ? { generateMask: zeroMask } : {}),
    });
  }

  #agreement({ headers, socket: stream }: IncomingMessage): Agreement {
    if (this.#options.lossless && headers[LINK_HEADER] === LINK_VERSION) return { link: 'lossless', stream };
    const lastReceivedId = headers[LAST_ID_HEADER];
    return { link: 'plain', stream, lastReceivedId: lastReceivedId?.toString() };
  }

  #notConnected(problem: unknown, status?: number): ConnectionLostError {
    return new ConnectionLostError(
      `Cannot connect to ${shownUrl(this.#url)}: ${reasonOf(problem)}.`,
      problem,
      status,
    );
  }

  #failed(error: ConnectionLostError, isFinal: boolean): void {
    if (this.state === 'closed') return;
    this.#failures += 1;
    const triesAgain = !isFinal && this.#failures <= this.#policy.attempts;
    this.#options.onFailure?.(error, triesAgain);
    if (!triesAgain) return this.end(error);
    if (this.state === 'connected') this.states.set('reconnecting');
    this.#retry = setTimeout(() => this.#dial(), reconnectDelayMs(this.#failures, this.#policy));
  }

  #identity(): Record<string, string> {
    return { ...identityHeaders(this.#options), ...lastIdHeader(this.sender.lastSentId) };
  }

  #sendKeepAlive(): void {
    if (this.state === 'connected' && this.link === 'plain') this.sendUnkept('{"type":"keep_alive"}');
  }
}

/** A refusal at every address of a host has no message of its own. */
function reasonOf(problem: unknown): string {
  if (problem instanceof AggregateError) return problem.errors.map(messageOf).join(', ');
  return problem === undefined ? 'the connection was closed' : messageOf(problem);
}

/**
 * Masking keeps what a page makes its browser send from being taken for HTTP by a proxy on the way. Inside of TLS
 * and on loopback there is no such proxy, and masking would be most of what a message costs.
 */
function isPrivate(url: URL): boolean {
  return url.protocol === 'wss:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

function zeroMask(mask: Buffer): void {
  mask.fill(0);
}
