import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { messageOf } from '@signalbox/protocol';
import { isMetadataAddress, isPrivateAddress } from '../base/private-network.ts';
import { DestinationRefusedError } from './sandbox-errors.ts';

/** Which names may be reached. */
export interface DomainRules {
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
}

/** The addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** This machine, its neighbours on the wire, and many at once; also as IPv6 writes them. */
const NOWHERE = blockList(
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 96],
  ['fe80::', 10],
  ['ff00::', 8],
);

/**
 * The address to connect to for a host that a command names. Whoever connects must use this very address: a name
 * can mean another one a moment later. Throws {@link DestinationRefusedError}.
 */
export async function destinationOf(host: string, rules: DomainRules, resolve: Resolve): Promise<string> {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    throw new DestinationRefusedError(host, 'addresses cannot be allowed, only names');
  const denied = rules.deniedDomains.find((pattern) => fitsDomain(pattern, name));
  if (denied !== undefined)
    throw new DestinationRefusedError(host, `"${denied}" is among sandbox.network.deniedDomains`);
  const allowing = rules.allowedDomains.filter((pattern) => fitsDomain(pattern, name));
  if (allowing.length === 0)
    throw new DestinationRefusedError(host, 'it is not among sandbox.network.allowedDomains');
  // Below a wildcard anybody may hold a name, and let it mean a machine of this network.
  const isNamed = allowing.some((pattern) => !pattern.includes('*'));
  const addresses = await resolve(name).catch((error: unknown) => {
    throw new DestinationRefusedError(host, `it has no address (${messageOf(error)})`);
  });
  const address = addresses.find(
    (candidate) => isElsewhere(candidate) && (isNamed || !isPrivateAddress(candidate)),
  );
  if (address === undefined)
    throw new DestinationRefusedError(host, 'its address is one of this machine or a private network');
  return address;
}

/** `*.example.com` means all below it, not itself; `*` means every name. */
export function fitsDomain(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.$/, '');
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}

function isElsewhere(address: string): boolean {
  if (isIn(NOWHERE, address) || isMetadataAddress(address)) return false;
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return !own.some((face) => face.address === address);
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function blockList(...networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks)
    list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
