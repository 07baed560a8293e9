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
  const approve = (session: string): void => {
    approveAll(sessions, session, onTrouble).catch((error: unknown) => onTrouble(error, session));
  };
  const stops = [
    // Those that were open when the hub started.
    sessions.onSession(({ id, state }) => {
      if (state === 'asking') approve(id);
    }),
    sessions.onPermission(({ session, state }) => {
      if (state === 'open') approve(session);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

async function approveAll(
  sessions: LiveSessions,
  session: string,
  onTrouble: (error: unknown, session: string) => void,
): Promise<void> {
  const { asks } = await sessions.get(session);
  for (const { requestId, request } of asks.open) {
    if (!isToolPermission(request)) continue;
    // One that cannot be answered must not hold the others up.
    const answered = asks.answer(requestId, { behavior: 'allow', why: 'auto-approve' }, HUB);
    await answered.catch((error: unknown) => onTrouble(error, session));
  }
}
