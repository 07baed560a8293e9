import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeviceQuotas } from '../../auth/device-quotas.ts';
import type { Gatekeeper, HeaderReader } from '../../auth/gatekeeper.ts';
import type { HostGuard } from '../../auth/host-guard.ts';
import type { OpenSockets } from '../../auth/open-sockets.ts';
import type { Services } from '../../service/services.ts';
import type { LiveSessions } from '../../sessions/live-sessions.ts';
import type { Device } from '../../store/device.ts';
import type { Store } from '../../store/store.ts';
import { HybridDoor } from '../dial-in/hybrid-door.ts';
import { forwardedFor } from '../http/forwarded.ts';
import type { RequestPatience } from '../http/request-patience.ts';
import { assertOneHost, targetOf } from '../http/upgrade-request.ts';
import { anyoneAt } from './open-relay.ts';
import { FRONTENDS, RelayDoor } from './relay-door.ts';

/** Where an open relay asks for no token: agents dial the first, frontends the second. */
const OPEN_PATHS: ReadonlySet<string> = new Set(['/', FRONTENDS]);

/** What a {@link Relay} works with. */
export interface RelayParts {
  store: Store;
  live: LiveSessions;
  services: Services;
  gatekeeper: Gatekeeper;
  guard: HostGuard;
  quotas: DeviceQuotas;
  sockets: OpenSockets;
  patience: RequestPatience;
  openRelay: boolean;
  onTrouble: (error: unknown, session?: string) => void;
}

/** The parts of the hub that speak an agent's own protocol, and who may use them. */
export class Relay {
  readonly door: RelayDoor;
  readonly #parts: RelayParts;
  readonly #hybrid: HybridDoor;

  constructor(parts: RelayParts) {
    const { store, live, services, quotas, sockets, patience, onTrouble } = parts;
    this.#parts = parts;
    this.door = new RelayDoor({ store, sessions: services.sessions }, live);
    this.#hybrid = new HybridDoor({
      store,
      agents: services.agents,
      quotas,
      sockets,
      patience,
      identify: (request) => this.identify(request, targetOf(request), 'header'),
      log: onTrouble,
    });
  }

  /** Who asks. Raises `UNAUTHENTICATED` or `ORIGIN_REFUSED`; over an open relay, nobody of this machine is unknown. */
  async identify(
    request: IncomingMessage,
    target: URL,
    place: 'header' | 'header or URL' = 'header or URL',
  ): Promise<Device> {
    const { gatekeeper, guard, openRelay } = this.#parts;
    assertOneHost(request);
    const header: HeaderReader = (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    const { pathname, searchParams } = target;
    // Sockets alone may have it there: URLs end up in logs.
    const token = place === 'header' ? undefined : searchParams.get('token');
    // What another node has passed on may come from anywhere.
    if (!openRelay || !OPEN_PATHS.has(pathname) || forwardedFor(request) !== undefined) {
      guard.check(header);
      return gatekeeper.identify(header, token);
    }
    guard.checkLoopback(header);
    const address = request.socket.remoteAddress ?? 'this machine';
    return gatekeeper.identify(header, token).catch(() => anyoneAt(address));
  }

  /** Answers what hybrid agents post, and leaves all else to `next`. */
  listener(
    next: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  ): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
    return async (request, response) => {
      if (!this.#hybrid.serve(request, response)) await next(request, response);
    };
  }
}
