import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '@signalbox/protocol';
import { until } from '@signalbox/testing/hub/test-parts';
import { onTestFinished } from 'vitest';

/** How often each node is asked whether it is ready, and how long it may take to answer. */
const CHECK_MS = 200;
const PATIENCE_MS = 5000;

/** A load balancer: it passes connections to nodes that are ready, and cuts those to a node that no longer is. */
export class Balancer {
  readonly #ports: readonly number[];
  readonly #server: Server;
  readonly #ready = new Set<number>();
  readonly #open = new Map<Socket, number>();
  #next = 0;

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#server = createServer((client) => this.#join(client));
  }

  static async to(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    const closing = new AbortController();
    for (const port of ports) void balancer.#watch(port, closing.signal);
    await until(() => balancer.#ready.size === ports.length);
    onTestFinished(() => {
      closing.abort();
      for (const socket of balancer.#open.keys()) socket.destroy();
      balancer.#server.close();
    });
    return balancer;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async #watch(port: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const patience = AbortSignal.any([signal, timeLimit(PATIENCE_MS)]);
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: patience }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) this.#ready.add(port);
      else this.#ready.delete(port);
      for (const [socket, to] of this.#open) if (!this.#ready.has(to)) socket.destroy();
      await pause(CHECK_MS, undefined, { signal }).catch(() => {});
    }
  }

  #join(client: Socket): void {
    const ready = this.#ports.filter((port) => this.#ready.has(port));
    const port = ready[this.#next++ % Math.max(1, ready.length)];
    client.on('error', () => {});
    if (port === undefined) return void client.destroy();
    const node = connect(port, '127.0.0.1');
    node.on('error', () => {});
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      one.pipe(other);
      one.once('close', () => other.destroy());
    }
    this.#open.set(client, port);
    client.once('close', () => this.#open.delete(client));
  }
}
