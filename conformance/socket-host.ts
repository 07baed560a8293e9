import { once } from 'node:events';
import { type Channel, LineDecoder, type WireLine } from '@signalbox/protocol';
import { LineQueue } from '@signalbox/transport';
import { type WebSocket, WebSocketServer } from 'ws';
import { Mismatch } from './check.ts';

/** A plain WebSocket server that an agent dials: it knows lines, and nothing of resuming. */
export class SocketHost implements Channel {
  readonly #queue = new LineQueue({ onRoom: () => {} });
  readonly #port: number;
  #server: WebSocketServer;
  #client: WebSocket | undefined;
  /** The headers of every connection so far. */
  readonly connections: Record<string, unknown>[] = [];
  #onChange: (() => void)[] = [];
  #state: 'open' | 'ended' = 'open';

  private constructor(server: WebSocketServer, port: number) {
    this.#server = server;
    this.#port = port;
    this.#serve(server);
  }

  static async listen(): Promise<SocketHost> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
    return new SocketHost(server, address.port);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** Settles with the `count`th connection. */
  async connected(count = 1): Promise<void> {
    while (this.connections.length < count) {
      if (this.#state === 'ended') throw new Mismatch('The agent ended and did not dial');
      await new Promise<void>((resolve) => this.#onChange.push(resolve));
    }
  }

  async send(line: string | Uint8Array): Promise<void> {
    await this.connected();
    this.#client?.send(typeof line === 'string' ? `${line}\n` : line);
  }

  receive(): AsyncIterable<WireLine> {
    return this.#queue.claim();
  }

  /** Go down without a goodbye. */
  async stop(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Come back at the same address. */
  async restart(): Promise<void> {
    this.#server = new WebSocketServer({ host: '127.0.0.1', port: this.#port });
    await once(this.#server, 'listening');
    this.#serve(this.#server);
  }

  /** The agent is gone: nothing more will come. */
  end(): void {
    this.#state = 'ended';
    this.#queue.end();
    this.#changed();
  }

  #serve(server: WebSocketServer): void {
    server.on('connection', (client, request) => {
      const decoder = new LineDecoder({ onLine: (line) => this.#queue.push(line) });
      client.on('message', (data: Buffer) => {
        decoder.push(data);
        // A frame need not end with a newline: the end of a frame ends a line.
        decoder.push(Buffer.from('\n'));
      });
      client.on('error', () => {});
      this.#client = client;
      this.connections.push({ ...request.headers });
      this.#changed();
    });
  }

  #changed(): void {
    for (const go of this.#onChange.splice(0)) go();
  }
}
