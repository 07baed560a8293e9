import { isUrl } from '@signalbox/protocol';
import type { ServerPattern } from './source-settings.ts';

/** What a policy goes by. */
export interface McpServerFacts {
  readonly name: string;
  /** It lives in the host: nothing is started or reached. */
  readonly isInHost?: boolean;
  /** The program and its arguments, of a server that is started. */
  readonly command?: readonly string[];
  /** The address, of one that is reached. */
  readonly url?: string;
}

/**
 * Whether a list names a server. Anybody can give a server an allowed name: once an allow list has commands or
 * addresses, a server that has such a thing must be allowed by it.
 */
export function isServerListed(
  server: McpServerFacts,
  patterns: readonly ServerPattern[],
  purpose: 'allow' | 'deny',
): boolean {
  const { name, command, url } = server;
  const commands = patterns.flatMap((entry) => ('serverCommand' in entry ? [entry.serverCommand] : []));
  const urls = patterns.flatMap((entry) => ('serverUrl' in entry ? [entry.serverUrl] : []));
  const byCommand = command !== undefined && commands.some((listed) => isSame(listed, command));
  const spellings = url === undefined ? [] : urlSpellings(url, purpose);
  const byUrl = urls.some((pattern) => spellings.some((spelling) => fitsUrl(pattern, spelling)));
  const byName = patterns.some((entry) => 'serverName' in entry && entry.serverName === name);
  if (purpose === 'deny') return byName || byCommand || byUrl;
  if (command !== undefined && commands.length > 0) return byCommand;
  if (url !== undefined && urls.length > 0) return byUrl;
  return byName;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}

/** An address as it will be asked for (`/a/../b` is `/b`); a denial is also compared with it as it is written. */
function urlSpellings(url: string, purpose: 'allow' | 'deny'): string[] {
  if (!isUrl(url)) return [url];
  const { href } = new URL(url);
  const asked = [href, href.replace(/(?<=^[^/]*\/\/[^/?#]*)\/$/, '')];
  return purpose === 'deny' ? [url, ...asked] : asked;
}

/** `*` stands for anything. */
function fitsUrl(pattern: string, url: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return url === pattern;
  const tail = rest.pop() ?? '';
  if (!url.startsWith(head) || !url.endsWith(tail) || url.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = url.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + tail.length <= url.length;
}
