import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { LINK_HEADER, LINK_VERSION } from '../link/link-frame.ts';
import { TransportFailedError } from '../transport-errors.ts';
import { lastIdHeader } from './last-request-id.ts';
import { CLOSE_CODE } from './line-socket.ts';
import { isFinalClose } from './reconnect-policy.ts';
import { SocketTransport, type SocketTransportOptions } from './socket-transport.ts';

/** A client that leaves with one of these went on purpose; anything else is a failure. */
const CLEAN_CLOSE_CODES = new Set([1001, 1005]);

/** How a server treats one who dials in. */
export interface AcceptedTransportOptions extends SocketTransportOptions {
  /** Wait for the client to dial again when its connection breaks; a lossless link always does. */
  surviveDrops?: boolean;
}

/** The server's end of a client's connection, and of the connections that it comes back with. */
export class AcceptedTransport extends SocketTransport {
  readonly #options: AcceptedTransportOptions;

  constructor(options: AcceptedTransportOptions = {}) {
    super(options);
    this.#options = options;
  }

  /** What the answer to the client's upgrade request says. */
  answerHeaders(request: IncomingMessage): Record<string, string> {
    return this.#agreesToLossless(request)
      ? { [LINK_HEADER]: LINK_VERSION }
      : lastIdHeader(this.receiver.lastId);
  }

  /** Go on over this connection of the client. */
  attach(socket: WebSocket, request: IncomingMessage): void {
    const link = this.#agreesToLossless(request) ? 'lossless' : 'plain';
    this.attachSocket(socket, { link, stream: request.socket });
  }

  /** End here without a goodbye: the client dials again, and goes on with whoever serves it then. */
  async handOver(): Promise<void> {
    this.closeConnection(CLOSE_CODE.goingAway);
    await this.receiver.forgetUnread();
    this.end();
  }

  protected override dropped(code: number, reason: string): void {
    if (this.isFarewell(code)) return this.end();
    const mayReturn = this.link === 'lossless' || this.#options.surviveDrops;
    if (mayReturn && !isFinalClose(code)) return this.states.set('reconnecting');
    if (CLEAN_CLOSE_CODES.has(code)) return this.end();
    this.end(new TransportFailedError(`The client is gone: ${reason ? `${code} ${reason}` : code}.`));
  }

  #agreesToLossless(request: IncomingMessage): boolean {
    return this.#options.lossless === true && request.headers[LINK_HEADER] === LINK_VERSION;
  }
}
