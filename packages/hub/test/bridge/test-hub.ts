import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { encodeBridgeOrder, type OutboundBridgeOrder } from '@signalbox/protocol';
import { AcceptedTransport, type LinkGap, type LinkPosition, WebSocketAcceptor } from '@signalbox/transport';
import { onTestFinished } from 'vitest';
import { writeHubFile } from '../../src/bridge/hub-file.ts';
import { makeSocketPath } from '../../src/doors/http/local-socket.ts';

/** What a hub has of a session for good: it survives the hub. */
export interface DurableSession {
  lines: string[];
  position: LinkPosition | null;
  gaps: LinkGap[];
}

/** How a hub behaves. */
export interface TestHubOptions {
  port?: number;
  /** The home whose hub it is: it listens on the socket there instead of on a port. */
  home?: string;
  token?: string;
  /** What an earlier hub had. */
  sessions?: Map<string, DurableSession>;
  /** What is awaited before a line is kept and acknowledged. */
  beforeKeeping?: () => Promise<unknown>;
}

/** A hub that keeps lines in an array, and acknowledges them once they are there. */
export class TestHub {
  readonly sessions: Map<string, DurableSession>;
  readonly requests: IncomingMessage[] = [];
  readonly #options: TestHubOptions;
  readonly #http: Server = createServer();
  readonly #acceptor = new WebSocketAcceptor();
  readonly #transports = new Map<string, AcceptedTransport>();
  readonly #sockets = new Set<Socket>();
  #life: 'up' | 'dead' = 'up';
  #port = 0;

  private constructor(options: TestHubOptions) {
    this.#options = options;
    this.sessions = options.sessions ?? new Map();
  }

  static async start(options: TestHubOptions = {}): Promise<TestHub> {
    const hub = new TestHub(options);
    hub.#http.on('connection', (socket) => {
      hub.#sockets.add(socket);
      socket.once('close', () => hub.#sockets.delete(socket));
    });
    hub.#http.on('upgrade', (request, socket, head) => {
      hub.requests.push(request);
      const session = /^\/agent\/([^/]+)$/.exec(request.url ?? '')?.[1];
      const { token } = options;
      const isAllowed = token === undefined || request.headers.authorization === `Bearer ${token}`;
      if (session === undefined || !isAllowed) {
        socket.end(
          `HTTP/1.1 ${isAllowed ? '404 Not Found' : '401 Unauthorized'}\r\ncontent-length: 0\r\n\r\n`,
        );
        return;
      }
      hub.#acceptor.accept(request, socket, head, hub.#transportOf(session));
    });
    const { port = 0, home } = options;
    await new Promise<void>((resolve) => {
      if (home === undefined) hub.#http.listen(port, '127.0.0.1', resolve);
      else hub.#http.listen(makeSocketPath(home), resolve);
    });
    const address = hub.#http.address();
    hub.#port = typeof address === 'object' && address ? address.port : 0;
    if (typeof address === 'string' && home !== undefined)
      writeHubFile(home, { url: 'http://127.0.0.1:1', dial: 'ws://127.0.0.1:1', socket: address });
    onTestFinished(() => hub.die());
    return hub;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  linesOf(session: string): string[] {
    return this.#durable(session).lines;
  }

  /** What was said that is a report of the bridge itself. */
  reportsOf(session: string): Record<string, unknown>[] {
    return this.linesOf(session)
      .filter((line) => line.startsWith('{"type":"bridge"'))
      .map((line) => JSON.parse(line));
  }

  /** What was said that is not. */
  saidIn(session: string): string[] {
    return this.linesOf(session).filter((line) => !line.startsWith('{"type":"bridge"'));
  }

  send(session: string, line: string): Promise<void> {
    return this.#transportOf(session).send(line);
  }

  order(session: string, subtype: OutboundBridgeOrder): Promise<void> {
    return this.send(session, encodeBridgeOrder(subtype));
  }

  /** Say goodbye, as if the session were over. */
  async dismiss(session: string): Promise<void> {
    await this.#transportOf(session).close();
  }

  /** Cut every connection, without a goodbye. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** As by kill -9: what was not durable is gone, and nobody hears of it. */
  async die(): Promise<void> {
    this.#life = 'dead';
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  /** The next hub at the same place, with what this one had for good. */
  restart(options: TestHubOptions = {}): Promise<TestHub> {
    return TestHub.start({ ...this.#options, port: this.#port, sessions: this.sessions, ...options });
  }

  #durable(session: string): DurableSession {
    const known = this.sessions.get(session) ?? { lines: [], position: null, gaps: [] };
    this.sessions.set(session, known);
    return known;
  }

  #transportOf(session: string): AcceptedTransport {
    const known = this.#transports.get(session);
    if (known && known.state !== 'closed') return known;
    const durable = this.#durable(session);
    const transport = new AcceptedTransport({
      lossless: true,
      acknowledge: 'manual',
      onGap: (gap) => durable.gaps.push(gap),
      ...(durable.position ? { received: durable.position } : {}),
    });
    this.#transports.set(session, transport);
    void this.#keep(transport, durable).catch(() => {});
    return transport;
  }

  async #keep(transport: AcceptedTransport, durable: DurableSession): Promise<void> {
    for await (const line of transport.receive()) {
      const { position } = transport;
      await this.#options.beforeKeeping?.();
      if (this.#life === 'dead' || !position) return;
      durable.lines.push(line.text());
      durable.position = position;
      transport.acknowledge(position);
    }
  }
}
