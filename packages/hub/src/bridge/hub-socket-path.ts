import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HubOutdatedError, HubSocketError } from './bridge-errors.ts';
import { readHubFile } from './hub-file.ts';

/** What requests over the socket of a hub are addressed to: a name that every hub answers to. */
export const SOCKET_ORIGIN = 'ws://localhost';

/** The socket of a hub in its home. */
export function socketIn(home: string): string {
  return join(home, 'hub.sock');
}

/**
 * The socket by which the hub of a home is reached, or was last. Looked up for each connection, because a hub may come back with another
 * one. Raises `HUB_OUTDATED` or `HUB_SOCKET_REFUSED`.
 */
export function hubSocketPath(home: string): string {
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
