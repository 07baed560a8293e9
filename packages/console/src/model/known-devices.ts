import type { KnownDevice } from '@signalbox/protocol/hub';
import { locale } from '../words/language.ts';
import { t } from '../words/t.ts';
import { ago } from './session-order.ts';

/** Those whose tokens are good, the one that was seen last first, and the others. */
export function deviceGroups(
  devices: readonly KnownDevice[],
  now: number,
): { signedIn: readonly KnownDevice[]; signedOut: readonly KnownDevice[] } {
  const seenAt = ({ lastSeenAt, createdAt }: KnownDevice): number => lastSeenAt ?? createdAt;
  const sorted = devices.toSorted((one, other) => seenAt(other) - seenAt(one));
  const isGood = ({ revokedAt, expiresAt }: KnownDevice): boolean =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  return { signedIn: sorted.filter(isGood), signedOut: sorted.filter((device) => !isGood(device)) };
}

/** Whose it is, what it may, and when it was last there. */
export function deviceWords(device: KnownDevice, now: number): string {
  const { person, scope, session, lastSeenAt, revokedAt, expiresAt } = device;
  return [
    person,
    scope,
    session === null ? '' : t.devices.oneSession,
    lastSeenAt === null ? t.devices.neverSeen : t.devices.seen(when(lastSeenAt, now)),
    revokedAt === null ? '' : t.devices.signedOutAt(when(revokedAt, now)),
    revokedAt === null && expiresAt !== null
      ? expiresAt > now
        ? t.devices.until(new Date(expiresAt).toLocaleDateString(locale))
        : t.devices.expired
      : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function when(time: number, now: number): string {
  const words = ago(time, now);
  return words === t.model.now ? t.model.justNow : t.model.before(words);
}
