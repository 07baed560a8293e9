import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Place } from './hub-stage.ts';

/** What stands in front of nodes: each connection goes to the next one that takes it. */
export class AnyNode {
  readonly nodes = new Set<Place>();
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #next = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (client) => void this.#join(client));
  }

  static async listen(): Promise<AnyNode> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AnyNode(server);
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  async #join(client: Socket): Promise<void> {
    this.#open.add(client);
    client.on('error', () => {});
    const nodes = [...this.nodes];
    this.#next += 1;
    for (const at of nodes.keys()) {
      const place = nodes[(at + this.#next) % nodes.length];
      const node = connect(Number(new URL(place?.url ?? '').port), '127.0.0.1');
      const isThere = await once(node, 'connect').then(
        () => true,
        () => false,
      );
      if (!isThere) continue;
      node.on('error', () => {});
      for (const [one, other] of [
        [client, node],
        [node, client],
      ] as const) {
        one.pipe(other);
        one.once('close', () => other.destroy());
      }
      client.once('close', () => this.#open.delete(client));
      return;
    }
    client.destroy();
  }
}
