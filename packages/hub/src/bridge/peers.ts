import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import type { PeerProof } from './peer-proof.ts';

/** Where a node is, and what it shows there when it encrypts with a certificate that nobody else vouches for. */
export interface Peer {
  /** `unix:/path`, `https://host:port` or `http://host:port`. */
  address: string;
  certificate: string | null;
  /** What it proves itself by where it does not encrypt; a node of an earlier version cannot. */
  proof?: PeerProof | undefined;
}

/** The other nodes that the node of this home knows, also when it is gone; none where a hub is the only one. */
export function readPeers(home: string): Peer[] {
  try {
    const known = parseJson(readPlainFile(fileIn(home)));
    return Array.isArray(known) ? known.filter(isPeer) : [];
  } catch {
    return [];
  }
}

/** Keep where the other nodes are. */
export function writePeers(home: string, peers: readonly Peer[]): void {
  mkdirSync(nodeFolder(home), { recursive: true, mode: 0o700 });
  const draft = `${fileIn(home)}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(peers)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, fileIn(home));
}

/** What a node keeps of itself and of others in its home. */
export function nodeFolder(home: string): string {
  return join(home, 'node');
}

function isPeer(value: unknown): value is Peer {
  if (!isJsonObject(value)) return false;
  const { address, certificate, proof } = value;
  if (typeof address !== 'string' || !(certificate === null || typeof certificate === 'string')) return false;
  return proof === undefined || isProof(proof);
}

function isProof(value: unknown): value is PeerProof {
  return isJsonObject(value) && typeof value.node === 'string' && typeof value.key === 'string';
}

function fileIn(home: string): string {
  return join(nodeFolder(home), 'peers.json');
}
