import { statSync } from 'node:fs';
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { HubOutdatedError, HubSocketError } from './bridge-errors.ts';
import { readHubFile } from './hub-file.ts';
import { connected, connectToPeer } from './peer-socket.ts';
import type { Peer } from './peers.ts';

/** What requests over the socket of a hub are addressed to: a name that every hub answers to. */
export const SOCKET_ORIGIN = 'ws://localhost';

/** The socket of a hub in its home. */
export function socketIn(home: string): string {
  return join(home, 'hub.sock');
}

/**
 * Makes connections to the hub of a home, by its socket, or to the peers that it named, and to nobody else: a port may be anybody's once the hub is gone.
 * The path is looked up for each connection, because a hub may come back with another one.
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
      return connect(socketOf(this.#home));
    } catch (error) {
      // As a connection that fails: an exception would end a client that is to try again.
      callback?.(error instanceof Error ? error : new Error(String(error)), new Socket());
      return undefined;
    }
  }

  /** The hub of this home, or else one of its peers. Raises what the last one fails with. */
  async #connectToOne(peers: readonly Peer[]): Promise<Socket> {
    const ways = [
      async () => connected(connect(socketOf(this.#home)), 'connect'),
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
      const socket = connect(socketOf(home));
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

function socketOf(home: string): string {
  const file = readHubFile(home);
  if (file && file.socket === undefined) throw new HubOutdatedError(home);
  const socket = file?.socket ?? socketIn(home);
  assertOwn(dirname(socket), home);
  return socket;
}

/** What is left in a folder for all may have been put there by anybody. Raises `HUB_SOCKET_REFUSED`. */
function assertOwn(folder: string, home: string): void {
  const { uid, mode } = statSync(folder);
  const isOwn = uid === 0 || uid === statSync(home).uid;
  if (!isOwn || (mode & 0o022) !== 0) throw new HubSocketError(folder);
}
