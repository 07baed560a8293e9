import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands before a hub and holds WebSockets back: requests are answered, and nothing is heard live until it says so. */
export class LateSocketProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #through: Promise<void>;
  letThrough: () => void = () => {};

  private constructor(port: number) {
    this.#through = new Promise((resolve) => {
      this.letThrough = resolve;
    });
    this.#server = createServer((client) => {
      const hub = connect(port, '127.0.0.1');
      for (const socket of [client, hub]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          client.destroy();
          hub.destroy();
        });
      }
      client.once('data', (first) => void this.#pass(first, client, hub));
    });
  }

  static async start(port: number): Promise<LateSocketProxy> {
    const proxy = new LateSocketProxy(port);
    onTestFinished(() => {
      for (const socket of proxy.#sockets) socket.destroy();
      proxy.#server.close();
    });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #pass(first: Buffer, client: Socket, hub: Socket): Promise<void> {
    client.pause();
    if (/^upgrade: websocket/im.test(first.toString('latin1'))) await this.#through;
    hub.write(first);
    client.pipe(hub);
    hub.pipe(client);
  }
}
