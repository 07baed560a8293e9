import type { Author } from '@signalbox/protocol/hub';
import { isToolPermission } from '../asks/person-answer.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

const HUB: Author = { by: 'hub' };

/**
 * Allow every tool call that an agent asks about, in the name of the hub; questions and plans are left to people.
 * Returns the way to stop it.
 */
export function startAutoApproval(
  sessions: LiveSessions,
  onTrouble: (error: unknown, session: string) => void,
): () => void {
  const approve = (session: string, only?: string): void => {
    approveAll(sessions, session, onTrouble, only).catch((error: unknown) => onTrouble(error, session));
  };
  const asking = new Set<string>();
  const stops = [
    // Those that were open when the hub started: looked through once, not again with each of a thousand questions.
    sessions.onSession(({ id, state }) => {
      if (state !== 'asking') asking.delete(id);
      else if (!asking.has(id)) {
        asking.add(id);
        approve(id);
      }
    }),
    sessions.onPermission(({ session, state, requestId }) => {
      if (state === 'open') approve(session, requestId);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

async function approveAll(
  sessions: LiveSessions,
  session: string,
  onTrouble: (error: unknown, session: string) => void,
  only?: string,
): Promise<void> {
  const { asks } = await sessions.get(session);
  const open = only === undefined ? asks.open : [asks.openOne(only)];
  for (const permission of open) {
    if (!permission || !isToolPermission(permission.request)) continue;
    const { requestId } = permission;
    // One that cannot be answered must not hold the others up.
    const answered = asks.answer(requestId, { behavior: 'allow', why: 'auto-approve' }, HUB);
    await answered.catch((error: unknown) => onTrouble(error, session));
  }
}
