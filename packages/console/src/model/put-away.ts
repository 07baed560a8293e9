import type { Session } from '@signalbox/protocol/hub';

/** Whether somebody put a session away. The hub takes it out again as soon as it works, asks or is prompted. */
export function isPutAway({ archivedAt }: Session): boolean {
  return typeof archivedAt === 'number';
}

/** The sessions that are in sight, and those that were put away, each in the order that they have. */
export function apartFromPutAway(sessions: readonly Session[]): {
  inSight: readonly Session[];
  putAway: readonly Session[];
} {
  return {
    inSight: sessions.filter((session) => !isPutAway(session)),
    putAway: sessions.filter(isPutAway),
  };
}
