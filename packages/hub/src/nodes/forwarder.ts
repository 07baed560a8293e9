import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@signalbox/protocol';
import type { HostGuard } from '../auth/host-guard.ts';
import type { PeerProof } from '../bridge/peer-proof.ts';
import type { Peer } from '../bridge/peers.ts';
import { FORWARDED_FOR, forwardedFor, NODE_HEADER, noteForwarded } from '../doors/http/forwarded.ts';
import type { HubServer } from '../doors/http/hub-server.ts';
import { problemOf } from '../doors/http/problem.ts';
import { assertOneHost } from '../doors/http/upgrade-request.ts';
import { LeaderConnections } from './leader-connections.ts';
import { LeaderLostError, NoLeaderError, NotLeadingError } from './node-errors.ts';
import { showProof } from './show-proof.ts';

/** How long somebody waits for a node that leads. */
const LEADER_MS = 15_000;

/** How often it is looked meanwhile. */
const LOOK_MS = 100;

/** Marks the answer of a node that was sent a request by another one and does not lead: nothing was done. */
const NOT_LEADING_HEADER = 'x-signalbox-not-leading';

/** Headers that are about the connection to this node, and those that only a node may set. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'expect',
  'host',
  'origin',
  FORWARDED_FOR,
  NODE_HEADER,
]);

/** What a {@link Forwarder} works with. */
export interface ForwarderParts {
  /** The node that leads, as far as it is known. */
  leader: () => Peer | undefined;
  /** What nodes prove themselves by to each other. */
  secret: string;
  /** And this one to whoever dials it. */
  proof: PeerProof;
  guard: HostGuard;
  /** Whether what is in front of this node says whose request it passes on. */
  isProxied: boolean;
  /** Where what waits here is answered once this node leads. */
  own: Pick<HubServer, 'answerAgain' | 'upgradeAgain'>;
}

/** A connection to the node that leads. */
interface Upstream {
  peer: Peer;
  socket: Socket;
}

/** Passes requests and sockets on to the node that leads, which knows who may do what. */
export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #connections = new LeaderConnections();
  readonly #leading = new AbortController();

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  readonly onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (showProof(request, response, this.#parts.proof)) return;
    response.on('error', () => {});
    try {
      if (request.url === '/healthz') return void response.writeHead(200).end('ok\n');
      const end = performance.now() + (request.url === '/readyz' ? 0 : LEADER_MS);
      for (;;) {
        // What is lost with a connection that was used before is asked again where that does no harm.
        const upstream = await this.#upstream(request, end, onlyAsks(request));
        if (!upstream) return this.#parts.own.answerAgain(request, response);
        if (await this.#passOn(request, response, upstream)) return;
        // A body is gone once it was sent; whoever has it sends it again.
        if (hasBody(request) || performance.now() >= end)
          throw new NoLeaderError('The node that led has just lost the lead.');
        await this.#lookAgain();
      }
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      const problem = problemOf(namedError(error));
      const body = JSON.stringify(problem);
      response.writeHead(problem.status, {
        'content-type': 'application/problem+json',
        'retry-after': '1',
        ...(error instanceof NotLeadingError ? { [NOT_LEADING_HEADER]: '1' } : {}),
      });
      response.end(body);
    }
  };

  /** False if it may be asked again: the node does not lead any more, or was lost, and nothing that it did is missed. */
  async #passOn(
    request: IncomingMessage,
    response: ServerResponse,
    { peer, socket: upstream }: Upstream,
  ): Promise<boolean> {
    const { method, url } = request;
    const passed = ask({
      method,
      path: url,
      // Who closes with its answer would reset a connection that a body is still coming on, and lose the answer.
      headers: { connection: 'keep-alive', ...framing(request), ...this.#headers(request) },
      createConnection: () => upstream,
    });
    const leave = (): void => {
      upstream.destroy();
      // What still comes of a body that was answered is read and dropped, as by a hub.
      request.unpipe(passed).resume();
    };
    response.once('close', leave);
    // Said by Node's client of a connection that both ends have said all on.
    upstream.once('free', () => {
      response.off('close', leave);
      this.#connections.give(peer, upstream);
    });
    return new Promise((resolve, reject) => {
      passed.once('error', (error) => {
        response.off('close', leave);
        if (onlyAsks(request)) resolve(false);
        else reject(error);
      });
      passed.once('response', (answer) => {
        if (answer.headers[NOT_LEADING_HEADER] !== undefined) {
          response.off('close', leave);
          resolve(false);
          return leave();
        }
        response.writeHead(answer.statusCode ?? 502, passedOn(answer));
        answer.pipe(response);
        // Cut off in the middle: whoever asked sees that the answer is not whole.
        answer.once('error', () => response.destroy());
        answer.once('aborted', () => response.destroy());
        answer.once('end', () => resolve(true));
        answer.once('close', () => resolve(true));
      });
      if (hasBody(request)) request.pipe(passed);
      else passed.end();
    });
  }

  readonly onUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const found = await this.#upstream(request, performance.now() + LEADER_MS, false);
    if (!found) return this.#parts.own.upgradeAgain(request, socket, head);
    const { socket: upstream } = found;
    if (socket.destroyed) return void upstream.destroy();
    const { connection = 'Upgrade' } = request.headers;
    const lines = Object.entries({ connection: [connection], ...this.#headers(request) }).flatMap(
      ([name, values]) => values.map((value) => `${name}: ${value}\r\n`),
    );
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    upstream.write(head);
    // Whatever it answers is for whoever asked, a refusal as well.
    for (const [one, other] of [
      [upstream, socket],
      [socket, upstream],
    ] as const) {
      one.pipe(other);
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  };

  /** Who leads is another node now: what was passed on to the one before hangs, where that was stopped. */
  leave(): void {
    this.#connections.cut();
  }

  /** This node leads now: whoever was passed on dials again, and what waits for a leader is answered here. */
  end(): void {
    this.#leading.abort();
    this.leave();
  }

  /** A connection to the node that leads; none where this one does. Raises `NO_LEADER`, `NOT_LEADING` or `ORIGIN_REFUSED`. */
  async #upstream(request: IncomingMessage, end: number, mayBeUsed: boolean): Promise<Upstream | undefined> {
    const { leader, secret, guard } = this.#parts;
    assertOneHost(request);
    noteForwarded(request, secret);
    if (forwardedFor(request) !== undefined) throw new NotLeadingError();
    guard.check((name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    });
    const { signal } = this.#leading;
    for (let why = 'No node leads at the moment.'; !signal.aborted; await this.#lookAgain()) {
      const peer = leader();
      const found = peer && (await this.#connect(peer, mayBeUsed));
      if (typeof found === 'string') why = found;
      else if (found) {
        if (!signal.aborted) return found;
        found.socket.destroy();
        return undefined;
      }
      const isOver = performance.now() >= end || request.destroyed;
      if (isOver && !signal.aborted) throw new NoLeaderError(why);
    }
    return undefined;
  }

  /** Says why there is none. */
  async #connect(peer: Peer, mayBeUsed: boolean): Promise<Upstream | string> {
    try {
      const connections = this.#connections;
      return { peer, socket: await (mayBeUsed ? connections.take(peer) : connections.make(peer)) };
    } catch (error) {
      return `The node that leads cannot be reached at ${peer.address} (${messageOf(error)}).`;
    }
  }

  async #lookAgain(): Promise<void> {
    await pause(LOOK_MS, undefined, { signal: this.#leading.signal, ref: false }).catch(() => {});
  }

  /** This node has looked at where the request came from, and to whom: the next one is told that it is its own. */
  #headers(request: IncomingMessage): Record<string, string[]> {
    const { isProxied, secret } = this.#parts;
    const [last] = request.headersDistinct[FORWARDED_FOR]?.at(-1)?.split(',').slice(-1) ?? [];
    const from = (isProxied ? last?.trim() : undefined) ?? request.socket.remoteAddress ?? 'this machine';
    // Before all others: of very many headers only the first are read.
    return { host: ['localhost'], [FORWARDED_FOR]: [from], [NODE_HEADER]: [secret], ...passedOn(request) };
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Nothing becomes of it beside its answer. */
function onlyAsks(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

/** Said for every method: a body without a length would be read as the next request. */
function framing({ headers }: IncomingMessage): Record<string, string> {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

function passedOn(message: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values && !OWN_HEADERS.has(name)) headers[name] = values;
  return headers;
}

/** A connection that breaks off says nothing of what became of the request. */
function namedError(error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
  return isOfSystem ? new LeaderLostError() : error;
}
