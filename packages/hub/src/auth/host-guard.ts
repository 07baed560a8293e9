import { isIP } from 'node:net';
import { isUrl } from '@signalbox/protocol';
import { StrangeOriginError } from './auth-errors.ts';
import type { HeaderReader } from './gatekeeper.ts';

const LOOPBACK_NAMES = new Set(['localhost', '[::1]']);

/** Whether nobody but this machine reaches an address. */
export function isLoopback(host: string): boolean {
  const name = host.startsWith('::') ? `[${host}]` : host;
  return LOOPBACK_NAMES.has(name) || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Whether an address stands for all that a machine has. */
export function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/**
 * Turns away what a page of another site makes a browser send: requests that name another host, because a name of that
 * site was made to point here, and requests whose origin is not the page of this hub.
 */
export class HostGuard {
  readonly #names: ReadonlySet<string>;

  /** `names` are those under which the hub is known beside loopback; their ports are not checked. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => hostnameOf(`http://${name}`) ?? name.toLowerCase()));
  }

  /** Raises `ORIGIN_REFUSED`. */
  check(header: HeaderReader): void {
    const host = header('host');
    if (host === undefined || !this.#isOurs(hostnameOf(`http://${host}`)))
      throw new StrangeOriginError('Host');
    const origin = header('origin');
    if (origin !== undefined && hostOf(origin) !== host.toLowerCase()) throw new StrangeOriginError('Origin');
  }

  /** Pages of this machine may be anywhere on it. Raises `ORIGIN_REFUSED`. */
  checkLoopback(header: HeaderReader): void {
    const host = hostnameOf(`http://${header('host') ?? ''}`);
    if (host === undefined || !isLoopback(host)) throw new StrangeOriginError('Host');
    const origin = header('origin');
    if (origin === undefined) return;
    const page = hostnameOf(origin);
    if (page === undefined || !isLoopback(page)) throw new StrangeOriginError('Origin');
  }

  #isOurs(name: string | undefined): boolean {
    return name !== undefined && (isLoopback(name) || this.#names.has(name));
  }
}

function hostnameOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).hostname : undefined;
}

function hostOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).host : undefined;
}
