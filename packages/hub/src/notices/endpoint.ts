import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { NoticeAddressError, NoticeUrlError } from './notice-errors.ts';

/** Addresses that no server of the internet has, or that stand for another one. */
const INSIDE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  INSIDE.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  INSIDE.addSubnet(network, prefix, 'ipv6');

/** Whether an address is inside of the network. */
export function isInside(address: string): boolean {
  const family = isIP(address);
  // A zone names an interface of this machine.
  if (family === 0 || address.includes('%')) return true;
  return INSIDE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The address of a target in its plain form. Raises `NOTICE_URL_INVALID`. */
export function checkedUrl(text: string, { allowsPrivate }: { allowsPrivate: boolean }): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new NoticeUrlError('it is no URL');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new NoticeUrlError('it begins with neither https:// nor http://');
  if (url.username !== '' || url.password !== '')
    throw new NoticeUrlError('it has a name or a password in it; of ntfy, give a token');
  url.hash = '';
  const host = hostOf(url);
  if (!allowsPrivate && ((isIP(host) !== 0 && isInside(host)) || isLocalName(host)))
    throw new NoticeUrlError(
      'it is inside of the network (loopback, private or link-local), which has to be allowed for this target (--inside, or allowsPrivate)',
    );
  return url;
}

/** The name or address that a URL leads to, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}

/** How much of a target people are shown: the rest of an address may be as good as a password. */
export function shownAddress(url: URL): string {
  return url.pathname.length > 1 || url.search !== '' ? `${url.origin}/…` : url.origin;
}

/**
 * Looks names up for a connection, and refuses those that lead inside. It is the connection's own look: a name that leads elsewhere
 * a moment later is not asked twice.
 */
export const outsideOnly: LookupFunction = (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new NoticeAddressError(), '', 4);
    if (addresses.some(({ address }) => isInside(address))) return callback(new NoticeAddressError(), '', 4);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
