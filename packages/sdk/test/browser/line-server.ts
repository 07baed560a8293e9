import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  DirectConnect,
  type DirectConnectCallbacks,
  type DirectConnectConfig,
  type PermissionRequest,
  type SDKMessage,
} from '../../src/browser/index.ts';

const WAIT = { timeout: EVENT_MS, interval: 20 };

/** A server that says what a test wants, and remembers what it heard. */
export interface LineServer {
  url: string;
  heard: unknown[];
  requests: IncomingMessage[];
  /** Say these to everybody who is connected, each in a frame of its own. */
  say: (...messages: (object | string)[]) => void;
  /** Break all connections. */
  drop: (code?: number) => void;
  close: () => Promise<void>;
}

export async function lineServer(port = 0): Promise<LineServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  await once(server, 'listening');
  const heard: unknown[] = [];
  const requests: IncomingMessage[] = [];
  server.on('connection', (socket, request) => {
    requests.push(request);
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
  });
  const close = async (): Promise<void> => {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const address = server.address();
  const usedPort = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `ws://127.0.0.1:${usedPort}`,
    heard,
    requests,
    say: (...messages) => {
      for (const client of server.clients)
        for (const said of messages) client.send(typeof said === 'string' ? said : JSON.stringify(said));
    },
    drop: (code) => {
      for (const client of server.clients) {
        if (code === undefined) client.terminate();
        else client.close(code);
      }
    },
    close,
  };
}

/** A client, and everything it was told. */
export interface WatchedClient {
  client: DirectConnect;
  log: string[];
  messages: SDKMessage[];
  asked: { request: PermissionRequest; requestId: string }[];
  errors: Error[];
  until: (check: () => void) => Promise<void>;
}

export function watchedClient(
  config: DirectConnectConfig,
  callbacks: Partial<DirectConnectCallbacks> = {},
): WatchedClient {
  const log: string[] = [];
  const messages: SDKMessage[] = [];
  const asked: WatchedClient['asked'] = [];
  const errors: Error[] = [];
  const client = new DirectConnect(
    { reconnect: { baseDelayMs: 10, maxDelayMs: 20 }, WebSocket, ...config },
    {
      onMessage: (message) => messages.push(message),
      onPermissionRequest: (request, requestId) => asked.push({ request, requestId }),
      onConnected: () => log.push('connected'),
      onDisconnected: () => log.push('disconnected'),
      onError: (error) => errors.push(error),
      ...callbacks,
    },
  );
  onTestFinished(() => client.disconnect());
  return { client, log, messages, asked, errors, until: (check) => vi.waitFor(check, WAIT) };
}
