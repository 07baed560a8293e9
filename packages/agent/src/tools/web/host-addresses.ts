import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { messageOf } from '@signalbox/protocol';
import {
  isLoopbackHost,
  isMetadataAddress,
  isPrivateAddress,
  plainHost,
} from '../../base/private-network.ts';
import { ToolFailure } from '../../base/tool-failure.ts';

/** Asks where a name leads. */
export type Lookup = (hostname: string) => Promise<LookupAddress[]>;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Where a host may be connected to. A name that leads into a private network is refused: whoever permitted it could
 * not see that. Nothing leads to where clouds keep credentials.
 */
export async function hostAddresses(url: URL, lookup: Lookup = systemLookup): Promise<LookupAddress[]> {
  const host = plainHost(url.hostname);
  const family = isIP(host);
  const addresses =
    family !== 0
      ? [{ address: host, family }]
      : isLoopbackHost(host)
        ? LOOPBACK
        : await lookup(host).catch((error: unknown) => {
            throw new ToolFailure(`${host} was not found: ${messageOf(error)}. Check the URL.`, error);
          });
  const metadata = addresses.find(({ address }) => isMetadataAddress(address));
  if (metadata) {
    throw new ToolFailure(`${metadata.address} hands out credentials of this machine; it is not fetched.`);
  }
  const hidden = isLoopbackHost(host) || family !== 0 ? undefined : addresses.find(isPrivate);
  if (hidden) {
    throw new ToolFailure(
      `${host} leads to ${hidden.address}, which is in a private network. Name that address in the URL, so that whoever permits the fetch sees it.`,
    );
  }
  return addresses;
}

function isPrivate({ address }: LookupAddress): boolean {
  return isPrivateAddress(address);
}

async function systemLookup(hostname: string): Promise<LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname, { all: true });
}
