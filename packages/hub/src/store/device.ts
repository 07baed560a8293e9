import { type Page, type PageRequest, SCOPES, type Scope } from '@signalbox/protocol/hub';
import type { Decision } from './audit.ts';

/** Whether a token of scope `held` is good for what needs `needed`. */
export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** `person` acts for somebody; `agent` and `terminal` may be that of their session, and nothing more than they are granted. */
export type DeviceKind = 'person' | 'agent' | 'terminal';

/** Who a device belongs to and what it may do. */
export interface DeviceGrant {
  /** The person's name. */
  person: string;
  /** The device's name. */
  name: string;
  scope: Scope;
  /** Good for this session only; null for all. */
  session: string | null;
  /** A person's, unless told otherwise. */
  kind?: DeviceKind;
  /** When its token is good no longer, in milliseconds since 1970; null for never. */
  expiresAt?: number | null;
}

/** One who holds a token. */
export interface Device extends Required<DeviceGrant> {
  id: string;
  createdAt: number;
  lastSeenAt: number | null;
  revokedAt: number | null;
}

/** A device and the token that it is let in by; the token is never seen again. */
export interface Admission {
  device: Device;
  token: string;
}

/** Which devices are wanted: all, or those of a kind, or those that are good for one session only. */
export interface DeviceQuery extends PageRequest {
  kind?: DeviceKind;
  session?: string;
}

/** Devices, their tokens and the links that bring a new one in. Of a secret only its hash is kept. */
export interface Devices {
  /** Under a new id, unless one is named. */
  add(grant: DeviceGrant, id?: string): Promise<Admission>;
  /** The device of a token that is neither revoked nor expired. Nothing is written: a full disk shuts nobody out. */
  authenticate(token: string): Promise<Device | undefined>;
  /** It was seen just now. */
  noteSeen(id: string): Promise<Device>;
  get(id: string): Promise<Device | undefined>;
  /** In the order in which they were added. */
  list(request?: DeviceQuery): Promise<Page<Device>>;
  /** Revoked again, it stays revoked. */
  revoke(id: string): Promise<Device>;
  /** A secret that lets one device in, once, and as long as the device `by` that made it is good itself. */
  createLink(grant: DeviceGrant, lifetimeMs: number, by?: string): Promise<string>;
  /**
   * A device comes in, and the audit log says so, in one commit. Nothing when the link is wrong, used or too old, or made by a
   * device that is signed out.
   */
  redeemLink(secret: string): Promise<Admission | undefined>;
}

/** That a device has come in by its link, for the audit log. */
export function signInDecision({ id, person, name, session }: Device): Decision {
  const author = { by: 'person', name: person, device: name, deviceId: id } as const;
  return { session, subject: id, author, what: 'sign in', why: null };
}
