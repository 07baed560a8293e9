import { onTestFinished } from 'vitest';
import { AcceptedTransport, type AcceptedTransportOptions } from '../../src/websocket/accepted-transport.ts';
import {
  WebSocketTransport,
  type WebSocketTransportOptions,
} from '../../src/websocket/websocket-transport.ts';
import { untilState } from '../conversation.ts';
import { type BareServer, type BareServerOptions, serveBare } from './bare-server.ts';
import { type LineServer, type LineServerOptions, serveTransport } from './line-server.ts';

/** Comes back at once and never gives up. */
export const QUICK = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 1, maxDelayMs: 5 };

/** A plain `ws` server that is stopped after the test. */
export async function startBare(options?: BareServerOptions): Promise<BareServer> {
  const server = await serveBare(options);
  onTestFinished(() => server.stop());
  return server;
}

/** A server for one transport, or for whichever there is when a client comes; stopped after the test. */
export async function startServer(
  current: AcceptedTransport | (() => AcceptedTransport),
  options?: LineServerOptions,
): Promise<LineServer> {
  const server = await serveTransport(current, options);
  onTestFinished(() => server.stop());
  return server;
}

/** A client that knows no token, and is closed after the test. */
export function client(url: URL, options: WebSocketTransportOptions = {}): WebSocketTransport {
  const transport = new WebSocketTransport(url, {
    env: {},
    reconnect: QUICK,
    closeTimeoutMs: 500,
    ...options,
  });
  onTestFinished(() => transport.close().catch(() => {}));
  return transport;
}

/** The server's end of a client, closed after the test. */
export function accepted(options: AcceptedTransportOptions = {}): AcceptedTransport {
  const transport = new AcceptedTransport({ closeTimeoutMs: 500, ...options });
  onTestFinished(() => transport.close().catch(() => {}));
  return transport;
}

/** A connected client and its plain `ws` server. */
export async function dialBare(
  options: WebSocketTransportOptions = {},
  serverOptions?: BareServerOptions,
): Promise<{ server: BareServer; transport: WebSocketTransport }> {
  const server = await startBare(serverOptions);
  const transport = client(server.url, options);
  await transport.connect();
  return { server, transport };
}

/** A connected client and the transport of its server. */
export async function dialAccepted(
  options: WebSocketTransportOptions = {},
  serverOptions: AcceptedTransportOptions = {},
): Promise<{ server: LineServer; near: WebSocketTransport; far: AcceptedTransport }> {
  const far = accepted(serverOptions);
  const server = await startServer(far);
  const near = client(server.url, options);
  await near.connect();
  return { server, near, far };
}

/** Cut the connection, and wait until the client is back. */
export async function comeBack(server: LineServer, transport: WebSocketTransport): Promise<void> {
  const back = untilState(transport, 'reconnecting').then(() => untilState(transport, 'connected'));
  server.cut();
  await back;
}
