import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What can go wrong on a link. */
export const LINK_FAULTS = ['cut', 'cut-in-mid-frame', 'half-open', 'stall'] as const;
export type LinkFault = (typeof LINK_FAULTS)[number];

interface Pair {
  client: Socket;
  server: Socket;
}

/** A TCP proxy that stands for the network between one who dials and the hub. */
export class FaultyLink {
  readonly #server: Server;
  readonly #target: number;
  readonly #pairs = new Set<Pair>();
  #mood: 'well' | 'cut-at-next-chunk' | 'stalled' = 'well';
  #chunks = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  static async to(target: number): Promise<FaultyLink> {
    const link = new FaultyLink(target);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    onTestFinished(() => {
      link.cut();
      link.#server.close();
    });
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** How many pieces of data have passed. */
  get chunks(): number {
    return this.#chunks;
  }

  break(fault: LinkFault): void {
    switch (fault) {
      case 'cut':
        return this.cut();
      case 'cut-in-mid-frame':
        this.#mood = 'cut-at-next-chunk';
        return;
      case 'half-open':
        // The hub is left with connections that nobody is at the end of.
        for (const { client, server } of this.#pairs) {
          client.destroy();
          server.pause();
        }
        return;
      case 'stall':
        this.#mood = 'stalled';
        for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.pause();
        return;
    }
  }

  /** What was stalled goes on. */
  mend(): void {
    this.#mood = 'well';
    for (const { client, server } of this.#pairs) {
      if (client.destroyed) continue;
      for (const socket of [client, server]) socket.resume();
    }
  }

  cut(): void {
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.destroy();
    this.#pairs.clear();
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    const pair = { client, server };
    this.#pairs.add(pair);
    this.#pass(client, server);
    this.#pass(server, client);
    server.on('close', () => {
      client.destroy();
      this.#pairs.delete(pair);
    });
    if (this.#mood === 'stalled') for (const socket of [client, server]) socket.pause();
  }

  #pass(from: Socket, to: Socket): void {
    from.on('error', () => {});
    from.on('end', () => to.end());
    from.on('data', (chunk) => {
      this.#chunks += 1;
      if (this.#mood !== 'cut-at-next-chunk') {
        to.write(chunk);
        return;
      }
      this.#mood = 'well';
      to.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => this.cut());
    });
  }
}
