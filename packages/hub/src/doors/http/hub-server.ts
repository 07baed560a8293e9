import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { isLoopback } from '../../auth/host-guard.ts';
import { makeSocketPath, removeSocket } from './local-socket.ts';
import { REQUEST_PATIENCE, type RequestPatience } from './request-patience.ts';
import { RequestTurns } from './request-turns.ts';
import { HubNotStartedError, OpenBindError } from './server-errors.ts';
import { answerWithoutUpgrade, isForWebSocket, refuseUpgrade } from './upgrade-request.ts';
import { answerWhileStarting } from './while-starting.ts';

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
  /** How long requests may take to arrive, where it is not what LIMITS say. */
  patience?: Partial<RequestPatience>;
  /** Where the hub keeps its data: programs of this machine reach it by a socket there. */
  home?: string | undefined;
}

/** Answers an upgrade request, or raises why not; then nothing has been answered. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

interface Handlers {
  onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  onUpgrade: UpgradeHandler;
}

/** The one port of the hub, and the socket of its home. */
export class HubServer {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Duplex>();
  readonly #turns = new RequestTurns();
  readonly #dropMs: number;
  #handlers: Handlers | undefined;
  #closing: Promise<void> | undefined;
  #early: ((handlers: Handlers) => void)[] = [];
  #socket: { path: string; home: string } | undefined;

  private constructor(server: Server, dropMs: number) {
    this.#dropMs = dropMs;
    this.#add(server);
  }

  /** Raises `HUB_BIND_REFUSED` or `HUB_NOT_STARTED`. Nothing but `/healthz` and `/readyz` is answered before {@link serve}. */
  static async listen(options: BindOptions): Promise<HubServer> {
    const { host, port, tls, maxConnections = MAX_CONNECTIONS, home, patience } = options;
    assertProtected(options);
    const byPort = tls ? createSecureServer(tls) : createServer();
    byPort.maxConnections = maxConnections;
    await listening(byPort.listen(port, host), `${host}:${port}`);
    const server = new HubServer(byPort, patience?.dropMs ?? REQUEST_PATIENCE.dropMs);
    if (home !== undefined) await server.#listenIn(home, maxConnections);
    return server;
  }

  /** Where programs of this machine connect. */
  get socket(): string | undefined {
    return this.#socket?.path;
  }

  get port(): number {
    const address = this.#servers[0]?.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Answer from now on, those first who came before. */
  serve(onRequest: Handlers['onRequest'], onUpgrade: UpgradeHandler): void {
    this.#handlers = { onRequest, onUpgrade };
    for (const work of this.#early.splice(0)) work(this.#handlers);
  }

  /** Whoever comes from now on waits until somebody serves again. */
  pause(): void {
    this.#handlers = undefined;
  }

  /** Have a request answered by whoever serves now, or next: the one before has left it as it was. */
  answerAgain(request: IncomingMessage, response: ServerResponse): void {
    if (!response.destroyed) this.#whenServed(({ onRequest }) => void onRequest(request, response));
  }

  /** The same of a request for another protocol. */
  upgradeAgain(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (socket.destroyed) return;
    this.#whenServed(({ onRequest, onUpgrade }) => {
      const upgrade = async (): Promise<void> => {
        if (isForWebSocket(request)) return onUpgrade(request, socket, head);
        return answerWithoutUpgrade(request, socket, onRequest);
      };
      upgrade().catch((error: unknown) => refuseUpgrade(socket, error));
    });
  }

  /** Stop listening, and cut what is still open after `patienceMs`. */
  close(patienceMs: number): Promise<void> {
    this.#closing ??= this.#close(patienceMs);
    return this.#closing;
  }

  async #close(patienceMs: number): Promise<void> {
    const closed = Promise.all(this.#servers.map((server) => once(server, 'close')));
    for (const server of this.#servers) {
      server.close();
      server.closeIdleConnections();
    }
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, patienceMs);
    await closed;
    clearTimeout(timer);
    if (this.#socket) removeSocket(this.#socket.path, this.#socket.home);
  }

  /** Who comes while the hub starts waits for it: nobody else would ever answer them. */
  #whenServed(work: (handlers: Handlers) => void): void {
    if (this.#handlers) work(this.#handlers);
    else this.#early.push(work);
  }

  /** What was answered before all of its body was there may not hold its connection for as long as it likes. */
  #dropRest(request: IncomingMessage): void {
    if (request.complete) return;
    const patience = setTimeout(() => request.socket.destroy(), this.#dropMs).unref();
    request.once('close', () => clearTimeout(patience));
  }

  #add(server: Server): void {
    this.#servers.push(server);
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.on('request', (request, response) => {
      if (!this.#handlers && answerWhileStarting(request, response)) return;
      this.#whenServed(({ onRequest }) => {
        this.#turns.take(request, response, () => {
          response.once('finish', () => this.#dropRest(request));
          void onRequest(request, response);
        });
      });
    });
    server.on('upgrade', (request, socket, head) => {
      // One who leaves before the answer must not take the hub along.
      socket.on('error', () => socket.destroy());
      this.upgradeAgain(request, socket, head);
    });
    server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Not encrypted: nobody but the owner of the folder gets there. */
  async #listenIn(home: string, maxConnections: number): Promise<void> {
    const server = createServer();
    server.maxConnections = maxConnections;
    try {
      const path = makeSocketPath(home);
      this.#socket = { path, home };
      await listening(server.listen(path), path);
      chmodSync(path, 0o600);
    } catch (error) {
      await this.close(0);
      throw error;
    }
    this.#add(server);
  }
}

async function listening(server: Server, where: string): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw error instanceof Error ? new HubNotStartedError(where, error) : error;
  }
}

/** Raises `HUB_BIND_REFUSED` where tokens would travel in the clear. */
export function assertProtected({ host, tls, behindProxy = false }: Omit<BindOptions, 'port'>): void {
  if (!isLoopback(host) && !tls && !behindProxy) throw new OpenBindError(host);
}
