import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RawData, type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { type LineServer, serve } from './line-server.ts';

/** What a message held; `ws` gives one buffer unless told otherwise. */
export function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : '';
}

/** What one frame held, as `ws` gave it. */
export interface Frame {
  text: string;
  isBinary: boolean;
}

/** A connection as a program without any of ours sees it. */
export interface BareConnection {
  socket: WebSocket;
  request: IncomingMessage;
  frames: Frame[];
  /** The lines of all text frames so far. */
  lines: string[];
  /** Settles when at least this many lines have come. */
  untilLines(count: number): Promise<string[]>;
  /** Settles when a line like this has come. */
  untilLine(matches: (line: string) => boolean): Promise<void>;
  closed: Promise<{ code: number; reason: string }>;
}

/** A plain `ws` server that knows nothing of this project. */
export interface BareServer extends LineServer {
  connections: BareConnection[];
  /** The next connection that nobody has asked for yet. */
  accepted(): Promise<BareConnection>;
}

/** How a {@link BareServer} answers. */
export interface BareServerOptions extends ServerOptions {
  /** Headers of the answer to an upgrade request. */
  answer?: (request: IncomingMessage) => Record<string, string>;
}

/** Serve with `ws` alone. */
export async function serveBare({ answer, ...options }: BareServerOptions = {}): Promise<BareServer> {
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, ...options });
  const connections: BareConnection[] = [];
  const unasked: BareConnection[] = [];
  const waiting: ((connection: BareConnection) => void)[] = [];
  webSockets.on('headers', (headers, request) => {
    for (const [name, value] of Object.entries(answer?.(request) ?? {})) headers.push(`${name}: ${value}`);
  });
  const server = await serve((request, stream, head) => {
    webSockets.handleUpgrade(request, stream, head, (socket) => {
      const connection = watch(socket, request);
      connections.push(connection);
      const hand = waiting.shift();
      if (hand) hand(connection);
      else unasked.push(connection);
    });
  });
  return {
    ...server,
    connections,
    accepted: () => {
      const connection = unasked.shift();
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

function watch(socket: WebSocket, request: IncomingMessage): BareConnection {
  const frames: Frame[] = [];
  const lines: string[] = [];
  socket.on('message', (data, isBinary) => {
    const text = textOf(data);
    frames.push({ text, isBinary });
    if (!isBinary) lines.push(...text.split('\n').filter((line) => line !== ''));
  });
  socket.on('error', () => {});
  return {
    socket,
    request,
    frames,
    lines,
    untilLines: async (count) => {
      while (lines.length < count) await once(socket, 'message');
      return lines;
    },
    untilLine: async (matches) => {
      for (let at = 0; ; at += 1) {
        while (at === lines.length) await once(socket, 'message');
        if (matches(lines[at] ?? '')) return;
      }
    },
    closed: new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
    }),
  };
}
