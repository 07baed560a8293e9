import type { Socket } from 'node:net';
import { connectToPeer } from '../bridge/peer-socket.ts';
import type { Peer } from '../bridge/peers.ts';

/** How long a connection is kept that nobody uses: a hub closes it after five seconds. */
const IDLE_MS = 2000;

/** How many of them. */
const MAX_IDLE = 32;

/** Connections to the node that leads. To make one takes as long as many a request: those that are done with may be used again. */
export class LeaderConnections {
  readonly #open = new Set<Socket>();
  /** With whom they are, so that nobody gets what was meant for the node at another address. */
  readonly #idle = new Map<Socket, string>();
  /** Ends the wait for one that is being made. */
  readonly #making = new Set<(error: Error) => void>();

  /** Raises what the system says when there is none. */
  async make(peer: Peer): Promise<Socket> {
    const socket = await this.#connect(peer);
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#idle.delete(socket);
    });
    socket.on('error', () => {});
    return socket;
  }

  /** One that was used before, which may be lost at any moment, or else a new one. */
  async take(peer: Peer): Promise<Socket> {
    const wanted = placeOf(peer);
    for (const [socket, place] of this.#idle) {
      if (place !== wanted) continue;
      this.#idle.delete(socket);
      socket.setTimeout(0);
      return socket;
    }
    return this.make(peer);
  }

  /** Nobody uses this one for now. */
  give(peer: Peer, socket: Socket): void {
    if (this.#idle.size >= MAX_IDLE || !this.#open.has(socket) || socket.destroyed)
      return void socket.destroy();
    this.#idle.set(socket, placeOf(peer));
    socket.setTimeout(IDLE_MS);
    if (socket.listenerCount('timeout') === 0)
      socket.on('timeout', () => {
        if (this.#idle.has(socket)) socket.destroy();
      });
  }

  /** Cut all of them, also those that are being made: a node that hangs takes them, and proves nothing. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
    for (const fail of this.#making) fail(new Error('another node leads'));
  }

  #connect(peer: Peer): Promise<Socket> {
    return new Promise((resolve, reject) => {
      let isCut = false;
      const fail = (error: Error): void => {
        isCut = true;
        reject(error);
      };
      this.#making.add(fail);
      connectToPeer(peer)
        .then((socket) => (isCut ? socket.destroy() : resolve(socket)), reject)
        .finally(() => this.#making.delete(fail));
    });
  }
}

function placeOf({ address, certificate, proof }: Peer): string {
  return JSON.stringify([address, certificate, proof?.node, proof?.key]);
}
