import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@signalbox/protocol';
import { LINE_PROTOCOL } from '@signalbox/protocol/hub';
import { WebSocketServer } from 'ws';
import type { AcceptedTransport } from './accepted-transport.ts';
import { FRAME_ALLOWANCE_BYTES } from './line-socket.ts';

/** Turns upgrade requests of an HTTP server into connections of transports. Whom to let in is the caller's to decide. */
export class WebSocketAcceptor {
  readonly #server: WebSocketServer;
  readonly #transports = new WeakMap<IncomingMessage, AcceptedTransport>();

  constructor(options: { maxLineBytes?: number } = {}) {
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      autoPong: false,
      // The token that a page sends beside it must not be chosen, and so repeated.
      handleProtocols: (offered) => offered.has(LINE_PROTOCOL) && LINE_PROTOCOL,
      skipUTF8Validation: true,
      maxPayload: (options.maxLineBytes ?? LIMITS.lineBytes.most) + FRAME_ALLOWANCE_BYTES,
    });
    this.#server.on('headers', (headers, request) => {
      const answer = this.#transports.get(request)?.answerHeaders(request) ?? {};
      for (const [name, value] of Object.entries(answer)) headers.push(`${name}: ${value}`);
    });
  }

  /** Answer an upgrade request, and give its connection to `transport`: a new one, or the one this client had before. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, transport: AcceptedTransport): void {
    this.#transports.set(request, transport);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => transport.attach(webSocket, request));
  }
}
