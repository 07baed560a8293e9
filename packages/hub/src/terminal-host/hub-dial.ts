import { LIMITS } from '@signalbox/protocol';
import { isFinalStatus, reconnectDelayMs } from '@signalbox/transport';
import { WebSocket } from 'ws';
import { HubSocketAgent } from '../bridge/hub-socket.ts';
import { SOCKET_ORIGIN } from '../bridge/hub-socket-path.ts';
import { decodeFrame, type LinkFrame } from './link-frame.ts';

/** A socket in the file system that nobody listens to costs nothing to try: people wait for a hub that restarts. */
const REDIAL = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 50, maxDelayMs: 1000 };

/** A hub that refuses us is asked again after this long. */
const REFUSED_RETRY_MS = 5000;

/** For how long: then nobody can reach this terminal any more. */
const REFUSED_PATIENCE_MS = 10 * 60_000;

/** What a {@link HubDial} works with. */
export interface HubDialOptions {
  home: string;
  path: string;
  token: string;
  onFrame: (frame: LinkFrame) => void;
  /** The connection is gone, with all its channels. */
  onLost: () => void;
  /** The hub has refused this side for so long that it will not take it any more. */
  onRefused: () => void;
  log: (text: string) => void;
}

/** The connection of a terminal's process to the hub of its home, wherever that comes back. */
export class HubDial {
  readonly #options: HubDialOptions;
  readonly #agent: HubSocketAgent;
  #socket: WebSocket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #refusedSince: number | undefined;
  #isClosed = false;

  constructor(options: HubDialOptions) {
    this.#options = options;
    this.#agent = new HubSocketAgent(options.home);
    this.#dial();
  }

  send(frame: Buffer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }

  /** Settles when what was sent is out, or after `patienceMs`. */
  close(patienceMs: number): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.terminate(), patienceMs);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      else socket.terminate();
    });
  }

  #dial(): void {
    const { path, token, onFrame } = this.#options;
    const socket = new WebSocket(`${SOCKET_ORIGIN}${path}`, {
      agent: this.#agent,
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: LIMITS.requestBytes.most,
      handshakeTimeout: 10_000,
    });
    this.#socket = socket;
    socket.once('open', () => {
      if (this.#failures > 0) this.#options.log('The hub is reached again.');
      this.#failures = 0;
      this.#refusedSince = undefined;
    });
    socket.on('message', (data) => {
      const frame = decodeFrame(Buffer.isBuffer(data) ? data : Buffer.alloc(0));
      if (frame) onFrame(frame);
    });
    socket.once('unexpected-response', (_, response) => {
      if (isFinalStatus(response.statusCode ?? 0)) this.#refusedSince ??= performance.now();
      socket.terminate();
    });
    // The close event that always follows says the rest.
    socket.on('error', (error) => {
      if (this.#failures === 0) this.#options.log(`The hub is not reached: ${error.message}`);
    });
    socket.once('close', () => this.#lost());
  }

  #lost(): void {
    this.#options.onLost();
    if (this.#isClosed) return;
    this.#failures += 1;
    const refusedMs = this.#refusedSince === undefined ? 0 : performance.now() - this.#refusedSince;
    if (refusedMs > REFUSED_PATIENCE_MS) return this.#options.onRefused();
    const delay =
      this.#refusedSince === undefined ? reconnectDelayMs(this.#failures, REDIAL) : REFUSED_RETRY_MS;
    this.#retry = setTimeout(() => this.#dial(), delay);
  }
}
