import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { HybridTransport, type HybridTransportOptions } from '../../src/hybrid/hybrid-transport.ts';
import { AcceptedTransport } from '../../src/websocket/accepted-transport.ts';
import { WebSocketAcceptor } from '../../src/websocket/websocket-acceptor.ts';

/** One POST as it came. */
export interface SeenPost {
  /** Counted from 0. */
  index: number;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds since the sink started. */
  at: number;
}

/** A server that takes WebSockets, and answers POSTs as the test says. */
export interface EventSink {
  /** What a client of this sink dials. */
  url: URL;
  posts: SeenPost[];
  /** The server's end of the WebSocket. */
  socket: AcceptedTransport;
  dial: (options?: HybridTransportOptions) => HybridTransport;
  connect: (options?: HybridTransportOptions) => Promise<HybridTransport>;
  /** How many connections there are. */
  connections: () => number;
  /** Cut every connection there is. */
  cut: () => void;
  /** Whether sockets are let in; POSTs always are. */
  door: { isOpen: boolean };
  stop: () => Promise<void>;
}

/** Short enough for a test to wait for. */
export const QUICK_RETRY = { baseDelayMs: 5, maxDelayMs: 20 };

/** What answers a POST. */
export type Answer = (post: SeenPost, response: ServerResponse) => void;

export function answerWith(status: number, headers: Record<string, string> = {}, body = ''): Answer {
  return (_post, response) => void response.writeHead(status, headers).end(body);
}

/** Start a sink on a port of its own. */
export async function startEventSink(answer: Answer = answerWith(200)): Promise<EventSink> {
  const startedAt = performance.now();
  const posts: SeenPost[] = [];
  const connections = new Set<Socket>();
  const clients: HybridTransport[] = [];
  const socket = new AcceptedTransport({ surviveDrops: true });
  const acceptor = new WebSocketAcceptor();
  const server = createServer((request, response) => {
    const at = performance.now() - startedAt;
    text(request).then(
      (body) => {
        const { url = '', headers } = request;
        const post = { index: posts.length, url, headers, body, at };
        posts.push(post);
        answer(post, response);
      },
      () => response.destroy(),
    );
  });
  const door = { isOpen: true };
  server.on('upgrade', (request, connection, head) => {
    if (door.isOpen) acceptor.accept(request, connection, head, socket);
    else connection.destroy();
  });
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`ws://127.0.0.1:${portOf(server.address())}/ws/some-session`);
  const cut = (): void => {
    for (const connection of connections) connection.destroy();
  };
  const dial = (options: HybridTransportOptions = {}): HybridTransport => {
    const client = new HybridTransport(url, { env: {}, postRetry: QUICK_RETRY, ...options });
    clients.push(client);
    return client;
  };
  return {
    url,
    posts,
    socket,
    dial,
    connections: () => connections.size,
    cut,
    door,
    connect: async (options) => {
      const client = dial(options);
      await client.connect();
      return client;
    },
    stop: async () => {
      await Promise.allSettled([...clients, socket].map((transport) => transport.close()));
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The lines that the posts carried, in order. */
export function linesOf(posts: readonly SeenPost[]): string[] {
  return posts.flatMap(({ body }) => eventsOf(body)).map((event) => JSON.stringify(event));
}

function eventsOf(body: string): unknown[] {
  const value: unknown = JSON.parse(body);
  if (typeof value === 'object' && value !== null && 'events' in value && Array.isArray(value.events)) {
    return value.events;
  }
  throw new Error(`not a body of events: ${body}`);
}

export function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address) return address.port;
  throw new Error('the server does not listen');
}
