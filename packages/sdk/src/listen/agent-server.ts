import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isUrl, LIMITS } from '@signalbox/protocol';
import { LAST_ID_HEADER, RUN_HEADER, WebSocketAcceptor } from '@signalbox/transport';
import { RemoteAgent } from '../connect/remote-agent.ts';
import type { StartAgent } from '../process/agent-process.ts';
import { ListenError } from '../sdk-errors.ts';
import type { ListenSettings } from './listen.ts';
import { ListenedAgent } from './listened-agent.ts';
import { Observers, ObserverTransport } from './observers.ts';

const HOST = '127.0.0.1';

/** Where agents are expected, and frontends look for them. */
const FIRST_PORT = 8765;
const LAST_PORT = 8864;

/** How long an agent whose connection broke is waited for, unless the program says. */
const RETURN_TIMEOUT_MS = 30_000;

/** How many agents and observers there may be at once; one more is refused. */
const MAX_CONNECTIONS = 1000;

/** How long one that was refused may take to leave. */
const REFUSED_MS = 1000;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Told of each agent that dials in: how a conversation with it is begun, and its connections. */
export type OnAgent = (start: StartAgent, agent: ListenedAgent) => void;

/** The port that agents dial: `/` for agents, `/ws` for observers. */
export class AgentServer {
  readonly #server: Server;
  readonly #settings: ListenSettings;
  readonly #onAgent: OnAgent;
  readonly #acceptor = new WebSocketAcceptor();
  readonly #forObservers = new WebSocketAcceptor({ maxLineBytes: LIMITS.bodyBytes.most });
  readonly #agents = new Set<ListenedAgent>();
  readonly #observers: Observers;

  private constructor(server: Server, settings: ListenSettings, onAgent: OnAgent) {
    this.#server = server;
    this.#settings = settings;
    this.#onAgent = onAgent;
    this.#observers = new Observers(this.#agents, settings.observers === 'drive');
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Raises `LISTEN_FAILED`. */
  static async listen(settings: ListenSettings, onAgent: OnAgent): Promise<AgentServer> {
    const server = createServer((_request, response) => {
      response.writeHead(426, { 'content-type': 'text/plain' }).end('Agents dial this port by WebSocket.\n');
    });
    server.maxConnections = MAX_CONNECTIONS;
    await bind(server, settings.port);
    return new AgentServer(server, settings, onAgent);
  }

  get url(): string {
    const address = this.#server.address();
    return `ws://${HOST}:${typeof address === 'object' && address ? address.port : 0}`;
  }

  async close(): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined;
    this.#server.close();
    await Promise.all([...this.#agents].map((agent) => agent.close().catch(() => {})));
    this.#observers.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!isFromHere(request)) return refuse(socket, '403 Forbidden');
    const address = `${this.url}${request.url ?? '/'}`;
    // What is no address must not end the program.
    if (!request.url?.startsWith('/') || !isUrl(address)) return refuse(socket, '400 Bad Request');
    const { pathname, searchParams } = new URL(address);
    const { token, agentToken = token } = this.#settings;
    const wanted = pathname === '/' ? agentToken : token;
    if (!isLetIn(request, searchParams.get('token'), wanted)) return refuse(socket, '401 Unauthorized');
    if (pathname === '/') this.#acceptor.accept(request, socket, head, this.#agentFor(request));
    else if (pathname === '/ws' && this.#settings.observers !== 'none') {
      const observer = new ObserverTransport();
      this.#forObservers.accept(request, socket, head, observer);
      this.#observers.add(observer);
    } else refuse(socket, '404 Not Found');
  }

  /** The agent that was cut off, when it is the one that dials; else a new one. */
  #agentFor(request: IncomingMessage): ListenedAgent {
    const run = request.headers[RUN_HEADER]?.toString();
    const lastId = request.headers[LAST_ID_HEADER]?.toString();
    const known = [...this.#agents].filter((agent) => agent.run === run);
    if (run !== undefined && known[0]) return known[0];
    const away = known.filter(({ state }) => state === 'reconnecting');
    const named = known.find((agent) => lastId !== undefined && agent.lastId === lastId);
    // Its last message may have been lost with its connection.
    const returning = named ?? (lastId !== undefined && away.length === 1 ? away[0] : undefined);
    return returning ?? this.#newAgent(run);
  }

  #newAgent(run: string | undefined): ListenedAgent {
    const { returnTimeoutMs = RETURN_TIMEOUT_MS, answers, onGap } = this.#settings;
    const agent = new ListenedAgent({ run, answers, onGap, returnTimeoutMs, observers: this.#observers });
    this.#agents.add(agent);
    let isThere = false;
    agent.onStateChange((state) => {
      if ((state === 'connected') !== isThere && state !== 'closing') {
        isThere = !isThere;
        this.#observers.status(agent, isThere ? 'connected' : 'disconnected');
      }
      if (state === 'closed') this.#agents.delete(agent);
    });
    this.#onAgent(async (_options, signal) => new RemoteAgent(agent, agent.peer, signal), agent);
    return agent;
  }
}

function isLetIn({ headers }: IncomingMessage, inUrl: string | null, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const shown = headers.authorization?.replace(/^Bearer /, '') ?? inUrl ?? '';
  return timingSafeEqual(digest(shown), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A page of another site may make a browser dial this machine: such a page is no agent, and no observer. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  return isLoopbackUrl(`http://${host}`) && (origin === undefined || isLoopbackUrl(origin));
}

function isLoopbackUrl(url: string): boolean {
  return isUrl(url) && LOOPBACK.test(new URL(url).hostname);
}

/** Nobody else ends it: a server's sockets stay open when their other half is closed. */
function refuse(socket: Duplex, status: string): void {
  const patience = setTimeout(() => socket.destroy(), REFUSED_MS).unref();
  socket.once('close', () => clearTimeout(patience));
  socket.once('end', () => socket.destroy());
  socket.resume();
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function bind(server: Server, wanted: number | undefined): Promise<void> {
  const last = wanted ?? LAST_PORT;
  for (let port = wanted ?? FIRST_PORT; ; port += 1) {
    try {
      server.listen(port, HOST);
      await once(server, 'listening');
      return;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || port >= last) throw new ListenError(wanted, error);
    }
  }
}
