import type { Scope } from '@signalbox/protocol/hub';
import { ForbiddenError } from '../auth/auth-errors.ts';
import { type Device, includesScope } from '../store/device.ts';

/** Raises `FORBIDDEN` unless the device may do what takes `needed`, in a session or in all of them. */
export function permit(device: Device, needed: Scope, session?: string): void {
  const reaches = device.session === null || device.session === session;
  // The process of a terminal has its own door, and no other: whatever gets hold of its token reads no record.
  if (device.kind === 'terminal' || !reaches || !includesScope(device.scope, needed))
    throw new ForbiddenError(needed);
}

/** Raises `FORBIDDEN` unless the device may speak as the agent of a session. */
export function permitDialIn(device: Device, session: string | undefined): void {
  if (device.kind === 'agent' && device.session === session) return;
  permit(device, 'drive', session);
}
