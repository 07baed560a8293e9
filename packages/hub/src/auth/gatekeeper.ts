import { bearerFromProtocols } from '@signalbox/protocol/hub';
import type { Device, Devices } from '../store/device.ts';
import { UnauthenticatedError } from './auth-errors.ts';

/** A request's headers, by lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/** One who was let in, and what by. */
export interface Visitor {
  device: Device;
  token: string;
}

const BEARER = /^Bearer +(\S+)$/i;

/** Knows who asks, by the token that came along. */
export class Gatekeeper {
  readonly #devices: Devices;
  /** Cookies know no ports: two hubs on one machine must not overwrite each other's. */
  readonly cookie: string;

  constructor(devices: Devices, port: number) {
    this.#devices = devices;
    this.cookie = `signalbox-${port}`;
  }

  /** Raises `UNAUTHENTICATED`. `inUrl` is a token from the query, which sockets alone may use: URLs end up in logs. */
  async identify(header: HeaderReader, inUrl?: string | null): Promise<Device> {
    return (await this.visitor(header, inUrl)).device;
  }

  /** The same, for those who need to know the token as well. */
  async visitor(header: HeaderReader, inUrl?: string | null): Promise<Visitor> {
    const token =
      BEARER.exec(header('authorization') ?? '')?.[1] ??
      bearerFromProtocols(header('sec-websocket-protocol')) ??
      (inUrl || this.#cookieIn(header('cookie')));
    const device = token ? await this.#devices.authenticate(token) : undefined;
    if (!token || !device) throw new UnauthenticatedError();
    return { device, token };
  }

  #cookieIn(cookies = ''): string | undefined {
    for (const pair of cookies.split(';')) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.cookie) return value;
    }
    return undefined;
  }
}
