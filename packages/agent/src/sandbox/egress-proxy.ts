import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '@signalbox/protocol';
import { type DomainRules, destinationOf, type Resolve, resolveByDns } from './destinations.ts';
import { DestinationRefusedError } from './sandbox-errors.ts';

/** How many connections commands may have at a time; more are closed at once. */
const MAX_CONNECTIONS = 512;

/** How long an address may take to answer. */
const CONNECT_LIMIT_MS = 30_000;

/** Where the machine's network is; tests have one of their own. */
export interface Network {
  readonly resolve: Resolve;
  readonly connect: (to: { host: string; port: number }) => Duplex;
}

const MACHINE: Network = {
  resolve: resolveByDns,
  connect: (to) => {
    const socket = connect(to);
    socket.setTimeout(CONNECT_LIMIT_MS, () => {
      if (socket.connecting) socket.destroy(new Error(`${to.host} does not answer`));
    });
    return socket;
  },
};

/** The only way out of a sandbox: an HTTP proxy on a Unix socket that connects to allowed names and no others. */
export class EgressProxy {
  readonly #server: Server;
  readonly #rules: DomainRules;
  readonly #network: Network;
  readonly #open = new Set<Duplex>();

  static async listen(socketPath: string, rules: DomainRules, network = MACHINE): Promise<EgressProxy> {
    const proxy = new EgressProxy(rules, network);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(socketPath, resolve);
    });
    // It serves as long as the session works, and keeps nobody waiting.
    proxy.#server.unref();
    return proxy;
  }

  private constructor(rules: DomainRules, network: Network) {
    this.#rules = rules;
    this.#network = network;
    this.#server = createServer((asked, answer) => void this.#fetch(asked, answer));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('connection', (socket: Duplex) => this.#hold(socket));
    this.#server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(asked.url ?? '', socket, head);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** `CONNECT name:port`: what is said through it is not looked at. */
  async #tunnel(target: string, near: Duplex, head: Buffer): Promise<void> {
    try {
      const { hostname, port } = new URL(`http://${target}`);
      const host = await destinationOf(hostname, this.#rules, this.#network.resolve);
      const far = this.#hold(this.#network.connect({ host, port: Number(port || 80) }));
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
      far.once('connect', () => {
        near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) far.write(head);
        near.pipe(far).pipe(near);
      });
    } catch (error) {
      const reason = messageOf(error);
      const size = Buffer.byteLength(reason);
      near.end(
        `HTTP/1.1 ${statusOf(error)} Refused\r\ncontent-length: ${size}\r\nconnection: close\r\n\r\n${reason}`,
      );
    }
  }

  /** `GET http://name/path`: asked again by us, with the host that was checked. */
  async #fetch(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const refuse = (error: unknown): void => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(statusOf(error), { connection: 'close' }).end(messageOf(error));
    };
    try {
      const url = new URL(asked.url ?? '');
      if (url.protocol !== 'http:')
        throw new DestinationRefusedError(url.host, 'only http and CONNECT are passed on');
      const host = await destinationOf(url.hostname, this.#rules, this.#network.resolve);
      const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers;
      const sent = request({
        createConnection: () => this.#hold(this.#network.connect({ host, port: Number(url.port || 80) })),
        method: asked.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, connection: 'close' },
      });
      sent.once('error', refuse).once('response', (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      answer.once('close', () => sent.destroy());
      asked.pipe(sent);
    } catch (error) {
      refuse(error);
    }
  }

  #hold<Socket extends Duplex>(socket: Socket): Socket {
    this.#open.add(socket);
    // A peer that leaves is no failure of ours; the other end is closed with it.
    return socket.on('error', () => {}).once('close', () => this.#open.delete(socket));
  }
}

function statusOf(error: unknown): number {
  return error instanceof DestinationRefusedError ? 403 : 502;
}
