import { bearerFromProtocols } from '@signalbox/protocol/hub';
import type { Device, Devices } from '../store/device.ts';
import { UnauthenticatedError } from './auth-errors.ts';
import { joinToken } from './browser-token.ts';

/** A request's headers, by lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/** One who was let in, and what by. */
export interface Visitor {
  device: Device;
  token: string;
}

/** That a device was seen is written this often, and not with every request. */
const SEEN_EVERY_MS = 60_000;

const BEARER = /^Bearer +(\S+)$/i;

/** Knows who asks, by the token that came along. */
export class Gatekeeper {
  readonly #devices: Devices;
  /** Cookies know no ports: two hubs on one machine must not overwrite each other's. */
  readonly cookie: string;

  /** `hub` tells it from others of this machine: its port, or the name that all nodes of a database have. */
  constructor(devices: Devices, hub: number | string) {
    this.#devices = devices;
    this.cookie = `signalbox-${hub}`;
  }

  /** Raises `UNAUTHENTICATED`. `inUrl` is a token from the query, which sockets alone may use: URLs end up in logs. */
  async identify(header: HeaderReader, inUrl?: string | null): Promise<Device> {
    return (await this.visitor(header, inUrl)).device;
  }

  /** The same, for those who need to know the token as well. */
  async visitor(header: HeaderReader, inUrl?: string | null): Promise<Visitor> {
    const bearer =
      BEARER.exec(header('authorization') ?? '')?.[1] ??
      bearerFromProtocols(header('sec-websocket-protocol')) ??
      inUrl;
    const cookie = this.#cookieIn(header('cookie'));
    const visitor =
      (await this.#holder(bearer)) ??
      (bearer && cookie ? await this.#holder(joinToken({ cookie, bearer })) : undefined);
    if (!visitor) throw new UnauthenticatedError();
    return visitor;
  }

  async #holder(token: string | null | undefined): Promise<Visitor | undefined> {
    const device = token ? await this.#devices.authenticate(token) : undefined;
    return token && device ? { device: await this.#see(device), token } : undefined;
  }

  /** Who may come in does not depend on whether that can be written down. */
  async #see(device: Device): Promise<Device> {
    // Also one that was seen in the future: the clock was set back since.
    if (Math.abs(Date.now() - (device.lastSeenAt ?? 0)) < SEEN_EVERY_MS) return device;
    return this.#devices.noteSeen(device.id).catch(() => device);
  }

  #cookieIn(cookies = ''): string | undefined {
    for (const pair of cookies.split(';')) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.cookie) return value;
    }
    return undefined;
  }
}
