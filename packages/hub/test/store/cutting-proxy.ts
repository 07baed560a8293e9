import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const COMMIT = 'COMMIT\0';

/** The name of a statement that only a store prepares, and ends its transactions with. */
const ENDING = /(s\d+)\0[^\0]*opening SET batch/g;

/** The way to a database server. What goes over it when a transaction ends can be cut off. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #cut: { at: 'end' | 'answer'; done: () => void } | undefined;
  #isAway = false;
  #release: (() => Promise<void>) | undefined;

  private constructor(port: number) {
    this.#server = createServer((client) => this.#join(client, port));
  }

  static async to(port: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(port);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    onTestFinished(() => {
      proxy.#server.close();
      for (const socket of proxy.#open) socket.destroy();
    });
    return proxy;
  }

  /** The same address by this way. */
  by(url: string): string {
    const there = new URL(url);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    there.port = String((this.#server.address() as AddressInfo).port);
    return there.href;
  }

  /**
   * Cut the connection of whoever ends a transaction next, with `answer` when the server has carried that out. With `end` the server
   * does not hear of it, nor that anybody was cut off, before it is let go on. Settles when it is cut.
   */
  cutNextCommit(at: 'end' | 'answer', { andStayAway = false } = {}): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#isAway = andStayAway;
        if (andStayAway) for (const socket of this.#open) socket.destroy();
        resolve();
      };
      this.#cut = { at, done };
    });
  }

  /** Have the server carry out the end that was kept from it; settles when it has. */
  async goOn(): Promise<void> {
    await this.#release?.();
  }

  comeBack(): void {
    this.#isAway = false;
  }

  #join(client: Socket, port: number): void {
    if (this.#isAway) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    const endings = new Set<string>();
    const held: Buffer[] = [];
    let isCommitting = false;
    this.#open.add(client);
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      for (const [, name = ''] of text.matchAll(ENDING)) endings.add(name);
      const isEnd = this.#cut && endings.size > 0;
      isCommitting ||= isEnd === true && text.includes(COMMIT);
      const isNamed = [...endings].some((name) => text.includes(`\0${name}\0`));
      if (!isEnd || this.#cut?.at !== 'end' || !(isCommitting || isNamed || held.length > 0))
        return void upstream.write(bytes);
      held.push(bytes);
      if (!isCommitting) return;
      this.#release = async () => {
        upstream.write(Buffer.concat(held));
        await once(upstream, 'data');
      };
      this.#end(client);
    });
    upstream.on('data', (bytes) => {
      if (isCommitting && this.#cut && bytes.includes(COMMIT)) this.#end(client);
      else client.write(bytes);
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.on('close', () => {
      this.#open.delete(client);
      if (held.length === 0) upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    onTestFinished(() => void upstream.destroy());
  }

  #end(client: Socket): void {
    const cut = this.#cut;
    this.#cut = undefined;
    client.destroy();
    cut?.done();
  }
}
