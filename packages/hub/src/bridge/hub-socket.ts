import { statSync } from 'node:fs';
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { HubOutdatedError, HubSocketError } from './bridge-errors.ts';
import { readHubFile } from './hub-file.ts';

/** What requests over the socket of a hub are addressed to: a name that every hub answers to. */
export const SOCKET_ORIGIN = 'ws://localhost';

/** The socket of a hub in its home. */
export function socketIn(home: string): string {
  return join(home, 'hub.sock');
}

/**
 * Makes connections to the hub of a home, by its socket, and to nobody else: a port may be anybody's once the hub is gone.
 * The path is looked up for each connection, because a hub may come back with another one.
 */
export class HubSocketAgent extends Agent {
  readonly #home: string;

  constructor(home: string) {
    super();
    this.#home = home;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Socket | undefined {
    try {
      return connect(socketOf(this.#home));
    } catch (error) {
      // As a connection that fails: an exception would end a client that is to try again.
      callback?.(error instanceof Error ? error : new Error(String(error)), new Socket());
      return undefined;
    }
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
