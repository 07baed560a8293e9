import { isLoopback, isUnspecified } from '../auth/host-guard.ts';
import { parsePeerAddress } from '../bridge/peer-socket.ts';
import { NodeAddressError } from './node-errors.ts';

/** Raises `NODE_ADDRESS`. */
export function assertNodeAddress(text: string): void {
  if (!parsePeerAddress(text)) throw new NodeAddressError(`"${text}" is not where a node can be.`);
}

/** How a node listens. */
export interface Listening {
  host: string;
  port: number;
  names: readonly string[];
  isSecure: boolean;
  socket: string;
}

/**
 * What a node tells others unless it is said: its socket where nobody but this machine reaches it, else its first name or its own
 * address. Raises `NODE_ADDRESS` for one that listens everywhere and has no name.
 */
export function defaultAddress({ host, port, names, isSecure, socket }: Listening): string {
  if (isLoopback(host)) return `unix:${socket}`;
  const [name = host] = names;
  if (isUnspecified(name))
    throw new NodeAddressError(`${host} is every address of this machine, and none to others.`);
  return `${isSecure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
