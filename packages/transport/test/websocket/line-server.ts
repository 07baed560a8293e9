import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnLoopback } from '@signalbox/testing/loopback';
import type { AcceptedTransport } from '../../src/websocket/accepted-transport.ts';
import { WebSocketAcceptor } from '../../src/websocket/websocket-acceptor.ts';

/** A server on loopback whose clients are all given to one transport, or to the one there is at the time. */
export interface LineServer {
  url: URL;
  port: number;
  /** The upgrade requests so far. */
  requests: IncomingMessage[];
  /** Cut every connection, without a goodbye. */
  cut(): void;
  stop(): Promise<void>;
}

/** How a server treats its clients. */
export interface LineServerOptions {
  maxLineBytes?: number;
  /** While this is false, clients are turned away without a word. */
  isUp?: () => boolean;
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Serve with what deals with an upgrade request. */
export async function serve(upgrade: Upgrade): Promise<LineServer> {
  const http = createServer();
  const sockets = new Set<Socket>();
  const requests: IncomingMessage[] = [];
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  http.on('upgrade', (request, socket, head) => {
    requests.push(request);
    upgrade(request, socket, head);
  });
  const port = await listenOnLoopback(http);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: new URL(`ws://127.0.0.1:${port}/`),
    port,
    requests,
    cut,
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        cut();
      }),
  };
}

/** Serve one transport, or whichever `current` names when a client comes. */
export function serveTransport(
  current: AcceptedTransport | (() => AcceptedTransport),
  { isUp = () => true, ...options }: LineServerOptions = {},
): Promise<LineServer> {
  const acceptor = new WebSocketAcceptor(options);
  return serve((request, socket, head) => {
    if (!isUp()) return void socket.destroy();
    acceptor.accept(request, socket, head, typeof current === 'function' ? current() : current);
  });
}
