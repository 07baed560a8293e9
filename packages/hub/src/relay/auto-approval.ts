import type { Author } from '@signalbox/protocol/hub';
import type { LiveSessions } from '../live/live-sessions.ts';

const HUB: Author = { by: 'hub' };

/** Allow every tool call that an agent asks about, in the name of the hub; returns the way to stop it. */
export function startAutoApproval(
  sessions: LiveSessions,
  onTrouble: (error: unknown, session: string) => void,
): () => void {
  return sessions.onSession(({ id, state }) => {
    if (state === 'asking') approveAll(sessions, id).catch((error: unknown) => onTrouble(error, id));
  });
}

async function approveAll(sessions: LiveSessions, session: string): Promise<void> {
  const { asks } = await sessions.get(session);
  for (;;) {
    // One that comes while another is answered changes nothing about the session: it is found here.
    const asked = asks.open.find(({ request }) => request.subtype === 'can_use_tool');
    if (!asked) return;
    await asks.answer(asked.requestId, { behavior: 'allow', why: 'auto-approve' }, HUB);
  }
}
