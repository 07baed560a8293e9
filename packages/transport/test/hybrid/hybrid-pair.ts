import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  AcceptedHybridTransport,
  type AcceptedHybridTransportOptions,
} from '../../src/hybrid/accepted-hybrid-transport.ts';
import { HybridTransport, type HybridTransportOptions } from '../../src/hybrid/hybrid-transport.ts';
import { WebSocketAcceptor } from '../../src/websocket/websocket-acceptor.ts';
import { portOf, QUICK_RETRY } from './event-sink.ts';

/** What becomes of a POST: a server or a network that fails before, or after, the events were taken. */
export type Fate =
  | 'answered'
  | 'cut before'
  | 'cut after'
  | 'unavailable before'
  | 'unavailable after'
  /** The server does not look at it before its client is gone. */
  | 'too late';

/** A hybrid client and the server's end of it. */
export interface HybridPair {
  client: HybridTransport;
  server: AcceptedHybridTransport;
  socketUrl: string;
  /** Where events are posted. */
  eventsUrl: string;
  /** How many POSTs came. */
  posts: () => number;
  cutSockets: () => void;
  cutPosts: () => void;
  cleanup: () => Promise<void>;
}

export interface HybridPairOptions {
  client?: HybridTransportOptions;
  server?: AcceptedHybridTransportOptions;
  /** Asked for every POST. */
  fate?: () => Fate;
}

/** Connect a client to a server on loopback. */
export async function connectHybridPair(options: HybridPairOptions = {}): Promise<HybridPair> {
  const { fate = () => 'answered' } = options;
  const server = new AcceptedHybridTransport(options.server);
  const acceptor = new WebSocketAcceptor();
  const connections = new Set<Socket>();
  const sockets = new Set<Socket>();
  let posts = 0;
  const http = createServer((request, response) => {
    posts += 1;
    void handle(server, request, response, fate());
  });
  http.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  http.on('upgrade', (request, socket, head) => {
    sockets.add(request.socket);
    acceptor.accept(request, socket, head, server);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `127.0.0.1:${portOf(http.address())}`;
  const client = new HybridTransport(new URL(`ws://${origin}/ws/some-session`), {
    env: {},
    reconnect: { ...QUICK_RETRY, attempts: 50 },
    postRetry: { ...QUICK_RETRY, attempts: 50 },
    ...options.client,
  });
  await client.connect();
  const cut = (isOurs: (connection: Socket) => boolean): void => {
    for (const connection of connections) if (isOurs(connection)) connection.destroy();
  };
  return {
    client,
    server,
    socketUrl: `ws://${origin}/ws/some-session`,
    eventsUrl: `http://${origin}/session/some-session/events`,
    posts: () => posts,
    cutSockets: () => cut((connection) => sockets.has(connection)),
    cutPosts: () => cut((connection) => !sockets.has(connection)),
    cleanup: async () => {
      await Promise.allSettled([client.close(), server.close()]);
      cut(() => true);
      http.close();
      await once(http, 'close');
    },
  };
}

async function handle(
  server: AcceptedHybridTransport,
  request: IncomingMessage,
  response: ServerResponse,
  fate: Fate,
): Promise<void> {
  if (fate === 'too late') await new Promise((resolve) => request.once('close', resolve));
  // An answer that belongs to no connection: the server gives it, and nobody hears it.
  if (fate.endsWith('after')) await server.handlePost(request, new ServerResponse(request));
  if (fate.startsWith('cut')) request.socket.destroy();
  else if (fate.startsWith('unavailable')) response.writeHead(503).end();
  else await server.handlePost(request, response);
}
