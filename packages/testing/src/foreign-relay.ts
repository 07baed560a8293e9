import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { RELAY_PORTS } from '@signalbox/protocol';
import { expect, onTestFinished, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { EVENT_MS } from './event-limit.ts';

const SLOWLY = { timeout: EVENT_MS, interval: 1000 };

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
type Message = any;

/** A relay of somebody else with an agent of its own, which says what it is told and asks before it does anything. */
export class ForeignRelay {
  readonly port: number;
  readonly headers: IncomingHttpHeaders[] = [];
  readonly heard: Message[] = [];
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer, port: number, greet: (socket: WebSocket) => void) {
    this.#server = server;
    this.port = port;
    server.on('connection', (socket, { url, headers }) => {
      expect(url).toBe('/ws');
      this.headers.push(headers);
      socket.on('error', () => {});
      greet(socket);
      say(socket, { type: 'status', text: 'claude code is connected' });
      say(socket, { type: 'note', session_id: 'theirs' });
      socket.on('message', (data: Buffer) => {
        for (const line of data.toString().split('\n').filter(Boolean)) this.#hear(socket, JSON.parse(line));
      });
    });
  }

  /** On a port where frontends look; other tests may have them all for a while. */
  static start(greet: (socket: WebSocket) => void = () => {}): Promise<ForeignRelay> {
    return vi.waitFor(async () => {
      const relay = await ForeignRelay.#onFreePort(greet);
      if (!relay) throw new Error(`others have the ports ${RELAY_PORTS.first} to ${RELAY_PORTS.last}`);
      return relay;
    }, SLOWLY);
  }

  static async #onFreePort(greet: (socket: WebSocket) => void): Promise<ForeignRelay | undefined> {
    for (let port = RELAY_PORTS.first; port <= RELAY_PORTS.last; port += 1) {
      const server = new WebSocketServer({ host: '127.0.0.1', port });
      try {
        await once(server, 'listening');
      } catch {
        continue;
      }
      onTestFinished(() => {
        for (const client of server.clients) client.terminate();
        server.close();
      });
      return new ForeignRelay(server, port, greet);
    }
    return undefined;
  }

  get frontends(): number {
    return this.#server.clients.size;
  }

  #hear(socket: WebSocket, message: Message): void {
    this.heard.push(message);
    const named = { session_id: 'theirs', uuid: crypto.randomUUID() };
    if (message.type === 'user') {
      const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
      say(socket, { type: 'control_request', request_id: 'q', request });
    } else if (message.type === 'control_response') {
      // Another agent of the same relay is none of ours.
      const result = { type: 'result', subtype: 'success', is_error: false, result: 'done' };
      say(socket, { ...result, session_id: 'another', uuid: crypto.randomUUID() });
      say(socket, { ...result, ...named });
    }
  }
}

/** Say something to a frontend. */
export function say(socket: WebSocket, message: Message): void {
  socket.send(`${JSON.stringify(message)}\n`);
}
