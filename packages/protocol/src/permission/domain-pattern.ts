import { isUrl } from '../is-url.ts';
import type { Care } from './care.ts';
import { PermissionRuleError } from './rule-error.ts';
import { matchesWildcard } from './wildcard.ts';

const PREFIX = 'domain:';

/** A WebFetch rule's content as the labels of a host name. */
export type DomainPattern = readonly string[];

/** Reads `domain:example.com`, `domain:*.example.com` or `domain:*`; throws {@link PermissionRuleError}. */
export function parseDomainPattern(content: string): DomainPattern {
  const domain = content.startsWith(PREFIX) ? content.slice(PREFIX.length).trim() : '';
  const url = parseUrl(`https://${domain}`);
  // Anything but a plain host (a port, a path, a user) would be ignored by the match and promise too much.
  if (!url || domain === '' || url.href !== `https://${url.hostname}/`) {
    throw new PermissionRuleError(
      content,
      'a WebFetch rule is written domain:example.com, with a host and nothing else',
    );
  }
  return labelsOf(url);
}

/** Whether a web address is on the domain: for an allow rule only if a browser would fetch it from there. */
export function matchesDomain(pattern: DomainPattern, address: string, care: Care): boolean {
  const url = parseUrl(address) ?? (care === 'wary' ? parseUrl(`https://${address}`) : undefined);
  if (!url || (care === 'sure' && !/^https?:$/.test(url.protocol))) return false;
  const labels = labelsOf(url);
  const [first, ...parents] = pattern;
  if (first === '*') {
    const start = labels.length - parents.length;
    return parents.length === 0 || (start > 0 && sameLabels(parents, labels.slice(start)));
  }
  return sameLabels(pattern, labels);
}

/** The labels of every host that an address may mean; a rule is about one that has its labels. */
export function hostLabels(address: string): string[] {
  return [parseUrl(address), parseUrl(`https://${address}`)].flatMap((url) => (url ? labelsOf(url) : []));
}

/** The host that a rule would name for this address, or undefined when it is no web address. */
export function domainOf(address: string): string | undefined {
  const url = parseUrl(address);
  return url && /^https?:$/.test(url.protocol) ? labelsOf(url).join('.') : undefined;
}

/** A `*` inside never crosses a dot: `example.*` must not cover a host that anybody can register. */
function sameLabels(pattern: DomainPattern, labels: readonly string[]): boolean {
  return (
    pattern.length === labels.length && pattern.every((label, at) => matchesWildcard(label, labels[at] ?? ''))
  );
}

/** The URL parser lower-cases, decodes and turns international names into punycode; the final dot is ours to drop. */
function labelsOf(url: URL): string[] {
  return url.hostname.toLowerCase().replace(/\.+$/, '').split('.');
}

function parseUrl(text: string): URL | undefined {
  return isUrl(text) ? new URL(text) : undefined;
}
