import type { Author, SessionViewer } from '@signalbox/protocol/hub';
import { type Device, type DeviceGrant, includesScope, type Scope } from '../store/device.ts';
import { ForbiddenError } from './auth-errors.ts';

/** What an agent's token is good for: to dial in and watch. An agent must not approve what it asks itself. */
export function agentGrant(session: string): DeviceGrant {
  return { kind: 'agent', person: 'agent', name: `agent of ${session}`, scope: 'watch', session };
}

/** Raises `FORBIDDEN` unless the device may do what takes `needed`, in a session or in all of them. */
export function permit(device: Device, needed: Scope, session?: string): void {
  const reaches = device.session === null || device.session === session;
  if (!reaches || !includesScope(device.scope, needed)) throw new ForbiddenError(needed);
}

/** Raises `FORBIDDEN` unless the device may speak as the agent of a session. */
export function permitDialIn(device: Device, session: string | undefined): void {
  if (device.kind === 'agent' && device.session === session) return;
  permit(device, 'drive', session);
}

/** Who a device speaks for. */
export function authorOf({ person, name, id }: Device): Author {
  return { by: 'person', name: person, device: name, deviceId: id };
}

/** The same, for one who watches. */
export function viewerOf({ person, name, id }: Device): SessionViewer {
  return { person, device: name, deviceId: id };
}
