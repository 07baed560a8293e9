import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hubSocketPath } from './hub-socket-path.ts';
import { connected, connectToPeer } from './peer-socket.ts';
import type { Peer } from './peers.ts';

/**
 * Makes connections to the hub of a home, by its socket, or to the peers that it named, and to nobody else: a port may be anybody's once the hub is gone.
 */
export class HubSocketAgent extends Agent {
  readonly #home: string;
  readonly #peersOf: (home: string) => readonly Peer[];
  /** Connections in a row of which nothing came: a node that hangs takes them as well. */
  #vain = 0;

  /** `peersOf` says who else may be asked while the hub of this home is gone. */
  constructor(home: string, peersOf: (home: string) => readonly Peer[] = () => []) {
    super();
    this.#home = home;
    this.#peersOf = peersOf;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Socket | undefined {
    const peers = this.#peersOf(this.#home);
    if (peers.length > 0) {
      this.#connectToOne(peers).then(
        (socket) => callback?.(null, socket),
        (error: unknown) =>
          callback?.(error instanceof Error ? error : new Error(String(error)), new Socket()),
      );
      return undefined;
    }
    try {
      return connect(hubSocketPath(this.#home));
    } catch (error) {
      // As a connection that fails: an exception would end a client that is to try again.
      callback?.(error instanceof Error ? error : new Error(String(error)), new Socket());
      return undefined;
    }
  }

  /** The hub of this home, or else one of its peers. Raises what the last one fails with. */
  async #connectToOne(peers: readonly Peer[]): Promise<Socket> {
    const ways = [
      async () => connected(connect(hubSocketPath(this.#home)), 'connect'),
      ...peers.map((peer) => () => connectToPeer(peer)),
    ];
    const first = this.#vain % ways.length;
    let problem: unknown;
    for (const way of [...ways.slice(first), ...ways.slice(0, first)]) {
      try {
        const socket = await way();
        socket.once('close', () => {
          this.#vain = socket.bytesRead === 0 ? this.#vain + 1 : 0;
        });
        return socket;
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }
}

/** Whether nobody listens to the socket of a home: its hub does not run. */
export function isHubAway(home: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const socket = connect(hubSocketPath(home));
      socket.once('error', () => resolve(true));
      socket.once('connect', () => {
        socket.destroy();
        resolve(false);
      });
    } catch {
      resolve(true);
    }
  });
}
