import { connect, isIP, type Socket } from 'node:net';
import { rootCertificates, connect as secureConnect } from 'node:tls';
import { isUrl } from '@signalbox/protocol';
import { assertIsPeer } from './peer-proof.ts';
import type { Peer } from './peers.ts';

/** Where a node is reached by other nodes: a socket of this machine, or a port. */
export type PeerAddress =
  | { kind: 'socket'; path: string }
  | { kind: 'port'; host: string; port: number; isSecure: boolean };

/** How long a node may take to take a connection. */
const CONNECT_MS = 5000;

/** Undefined for what is no address of a node. */
export function parsePeerAddress(text: string): PeerAddress | undefined {
  const [, path] = /^unix:(\/.+)$/.exec(text) ?? [];
  if (path !== undefined) return { kind: 'socket', path };
  const url = isUrl(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/') return undefined;
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { kind: 'port', host, port: Number(url.port) || (isSecure ? 443 : 80), isSecure };
}

/** A connection to a node, and to nobody else. Raises what the system says when there is none. */
export async function connectToPeer({ address, certificate, proof }: Peer): Promise<Socket> {
  const target = parsePeerAddress(address);
  if (!target) throw new Error(`"${address}" is no address`);
  if (target.kind === 'socket') return connected(connect(target.path), 'connect');
  const { host, port } = target;
  // What is small is passed on at once, and waits for no answer to what went before.
  const to = { host, port, noDelay: true };
  if (!target.isSecure) {
    const socket = await connected(connect(to), 'connect');
    try {
      // A port may be anybody's once its node is gone.
      if (proof) await assertIsPeer(socket, proof);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
  const ca = certificate === null ? {} : { ca: [...rootCertificates, certificate] };
  // An address is no name of a server (RFC 6066).
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connected(secureConnect({ ...to, ...name, ...ca }), 'secureConnect');
}

/** Settles when a socket is connected; raises what it fails with. */
export function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => socket.destroy(new Error('it took too long')), CONNECT_MS);
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(patience));
    socket.once(event, () => {
      clearTimeout(patience);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
