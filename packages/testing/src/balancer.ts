import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What stands in front of nodes: each connection goes to the next one that takes it. */
export class Balancer {
  readonly #ports = new Set<number>();
  readonly #server: Server;
  /** Who is connected, and to which node. */
  readonly #open = new Map<Socket, number | undefined>();
  #next = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (client) => void this.#join(client));
  }

  static async listen(): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server);
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** How many nodes there are to choose from. */
  get size(): number {
    return this.#ports.size;
  }

  add(port: number): void {
    this.#ports.add(port);
  }

  /** No connection goes there any more, and those that are there are cut. */
  remove(port: number): void {
    this.#ports.delete(port);
    for (const [socket, to] of this.#open) if (to === port) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open.keys()) socket.destroy();
  }

  async #join(client: Socket): Promise<void> {
    this.#open.set(client, undefined);
    client.on('error', () => {});
    client.once('close', () => this.#open.delete(client));
    const ports = [...this.#ports];
    this.#next += 1;
    for (const at of ports.keys()) {
      const port = ports[(at + this.#next) % ports.length] ?? 0;
      const node = connect(port, '127.0.0.1');
      const isThere = await once(node, 'connect').then(
        () => true,
        () => false,
      );
      if (!isThere) continue;
      node.on('error', () => {});
      if (client.destroyed || !this.#ports.has(port)) {
        node.destroy();
        break;
      }
      this.#open.set(client, port);
      for (const [one, other] of [
        [client, node],
        [node, client],
      ] as const) {
        one.pipe(other);
        one.once('close', () => other.destroy());
      }
      return;
    }
    client.destroy();
  }
}
