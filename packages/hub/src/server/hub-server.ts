import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { problemOf } from '../api/problem.ts';
import { isLoopback } from '../auth/host-guard.ts';
import { HubNotStartedError, OpenBindError } from './server-errors.ts';

/** How many connections are held at once; one more is closed before it is heard. */
const MAX_CONNECTIONS = 50_000;

/** How long a request may take to arrive: a session that is imported may be long. */
const REQUEST_TIMEOUT_MS = 60 * 60_000;

/** Where the hub listens, and how it is protected there. */
export interface BindOptions {
  host: string;
  port: number;
  /** PEM texts. */
  tls?: { cert: string; key: string };
  /** Something in front of the hub encrypts: allow an address that others reach without TLS. */
  behindProxy?: boolean;
  maxConnections?: number;
}

/** Answers an upgrade request, or raises why not; then nothing has been answered. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

/** The one port of the hub. */
export class HubServer {
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Raises `HUB_BIND_REFUSED` or `HUB_NOT_STARTED`. Nothing is answered before {@link serve}. */
  static async listen(options: BindOptions): Promise<HubServer> {
    const { host, port, tls, maxConnections = MAX_CONNECTIONS } = options;
    assertProtected(options);
    const server = new HubServer(tls ? createSecureServer(tls) : createServer());
    server.#server.maxConnections = maxConnections;
    server.#server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.#server.listen(port, host);
    try {
      await once(server.#server, 'listening');
    } catch (error) {
      throw error instanceof Error ? new HubNotStartedError(host, port, error) : error;
    }
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  serve(
    onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    onUpgrade: UpgradeHandler,
  ): void {
    this.#server.on('request', (request, response) => void onRequest(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      // One who leaves before the answer must not take the hub along.
      socket.on('error', () => socket.destroy());
      onUpgrade(request, socket, head).catch((error: unknown) => refuse(socket, error));
    });
  }

  /** Stop listening, and cut what is still open after `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, patienceMs);
    await closed;
    clearTimeout(timer);
  }
}

/** Raises `HUB_BIND_REFUSED` where tokens would travel in the clear. */
export function assertProtected({ host, tls, behindProxy = false }: Omit<BindOptions, 'port'>): void {
  if (!isLoopback(host) && !tls && !behindProxy) throw new OpenBindError(host);
}

function refuse(socket: Duplex, error: unknown): void {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
