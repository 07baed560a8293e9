import { isLoopback } from '../../auth/host-guard.ts';
import type { Device } from '../../store/device.ts';
import type { BindOptions } from '../http/hub-server.ts';
import { OpenRelayError } from './relay-errors.ts';

/** Raises `OPEN_RELAY_REFUSED` where one who needs no token could be anybody. */
export function assertOpenRelay({
  host,
  behindProxy = false,
}: Pick<BindOptions, 'host' | 'behindProxy'>): void {
  if (!isLoopback(host) || behindProxy) throw new OpenRelayError();
}

/** Whoever comes without a token, over an open relay: somebody on this machine, who may drive every session, and be the agent of new ones. */
export function anyoneAt(address: string): Device {
  return {
    id: 'open-relay',
    kind: 'person',
    person: 'open relay',
    name: address,
    scope: 'drive',
    session: null,
    createdAt: 0,
    lastSeenAt: null,
    revokedAt: null,
    expiresAt: null,
  };
}
