import { join } from 'node:path';
import { isUrl } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { TokenWithheldError } from './bridge-errors.ts';
import { readHubFile } from './hub-file.ts';

/** The token of this machine's own programs; undefined where no hub was ever started. */
export function ownToken(home: string): string | undefined {
  try {
    return readPlainFile(join(home, 'token')).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a URL is one of those under which the hub of this home is known, or was last. */
export function isOwnHub(home: string, url: string): boolean {
  const { url: known, dial } = readHubFile(home) ?? {};
  const place = placeOf(url);
  return (
    place !== undefined && [known, dial].some((other) => other !== undefined && placeOf(other) === place)
  );
}

/**
 * The machine's own token is for the hub of its home. It goes to another one only over TLS, and when that was said:
 * whoever listens on a port of this machine may be anybody. Raises `TOKEN_WITHHELD`.
 */
export function assertMayGo(home: string, url: string, token: string | undefined): void {
  const isSecure = /^(?:https|wss):/i.test(url);
  if (token !== undefined && token === ownToken(home) && !isSecure) throw new TokenWithheldError(home, url);
}

/** Loopback is one place, whatever it is called, and whoever speaks HTTP there speaks WebSocket too. */
function placeOf(url: string): string | undefined {
  if (!isUrl(url)) return undefined;
  const { protocol, hostname, host } = new URL(url.replace(/^ws/i, 'http'));
  const port = host.slice(hostname.length);
  const name = /^(?:localhost|127\..*|\[::1\])$/.test(hostname) ? 'loopback' : hostname;
  return `${protocol}//${name}${port}`;
}
