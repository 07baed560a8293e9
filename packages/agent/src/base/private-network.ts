import { BlockList, isIP } from 'node:net';
import { isUrl, type PermissionRule } from '@signalbox/protocol';

/** What is not the open internet: this machine, its networks, and what only has a meaning there. */
const PRIVATE = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
])
  addRange(PRIVATE, range, 'ipv4');
for (const range of ['::/127', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'])
  addRange(PRIVATE, range, 'ipv6');

/** Where clouds hand out the credentials of the machine that asks. */
const METADATA = new BlockList();
for (const address of ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16'])
  METADATA.addAddress(address);
METADATA.addAddress('fd00:ec2::254', 'ipv6');

/** Whether an address is one of this machine or of a network around it. */
export function isPrivateAddress(address: string): boolean {
  return isIn(PRIVATE, address) || isMetadataAddress(address);
}

export function isMetadataAddress(address: string): boolean {
  return isIn(METADATA, address);
}

/** Whether a host says by its name that it is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const name = plainHost(hostname);
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.[\d.]+$/.test(name);
}

/** Whether whoever reads an address sees that it leads to this machine or its networks. */
export function isPrivateHost(hostname: string): boolean {
  const name = plainHost(hostname);
  return isLoopbackHost(name) || (isIP(name) !== 0 && isPrivateAddress(name));
}

/**
 * Whether a fetch has to be asked about although a rule allows it: a rule for every page is not meant for what only
 * this machine can reach. A rule that names the host is.
 */
export function needsOwnRule(url: unknown, allow: readonly PermissionRule[]): boolean {
  if (typeof url !== 'string' || !isUrl(url)) return false;
  const { hostname } = new URL(url);
  return isPrivateHost(hostname) && !namedHosts(allow).has(hostname.replace(/\.+$/, ''));
}

const NAMED_HOSTS = new WeakMap<readonly PermissionRule[], ReadonlySet<string>>();

/** The hosts that rules of a list name, in small letters; the list is looked through once. */
function namedHosts(rules: readonly PermissionRule[]): ReadonlySet<string> {
  const known = NAMED_HOSTS.get(rules);
  if (known) return known;
  const hosts = new Set<string>();
  for (const { toolName, ruleContent = '' } of rules)
    if (toolName === 'WebFetch' && ruleContent.startsWith('domain:'))
      hosts.add(ruleContent.slice('domain:'.length).toLowerCase());
  NAMED_HOSTS.set(rules, hosts);
  return hosts;
}

/** A host without the brackets of IPv6 and the dot at its end. */
export function plainHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.+$/g, '');
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  // An IPv4 address in the clothes of IPv6 is what it is: ::ffff:, NAT64 and 6to4 all lead to it.
  const inner = family === 6 ? embedded(address) : undefined;
  if (inner !== undefined && list.check(inner)) return true;
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function embedded(address: string): string | undefined {
  // The URL parser writes every IPv6 address in its one canonical form.
  const host = isUrl(`http://[${address}]`) ? plainHost(new URL(`http://[${address}]`).hostname) : '';
  const [, high, low] =
    /^(?:::ffff:|::|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host) ??
    /^2002:([\da-f]{1,4}):([\da-f]{1,4}):/.exec(host) ??
    [];
  if (high === undefined || low === undefined) return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', prefix] = range.split('/');
  list.addSubnet(address, Number(prefix), family);
}
