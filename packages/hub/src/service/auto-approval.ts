import type { Author } from '@signalbox/protocol/hub';
import { callIn } from '../policy/asked-call.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';

/** In whose name tool calls of a session are allowed; nobody's when they are not. */
export type Approver = (session: string) => Promise<{ author: Author; why: string } | undefined>;

/**
 * Allow the tool calls that agents ask about, in somebody's name; questions, plans and what a rule says to ask about are
 * left to people. Returns the way to stop it.
 */
export function startAutoApproval(
  sessions: LiveSessions,
  onTrouble: (error: unknown, session: string) => void,
  approver: Approver,
): () => void {
  const approve = (session: string, only?: string): void => {
    approveAll(sessions, session, onTrouble, approver, only).catch((error: unknown) =>
      onTrouble(error, session),
    );
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
  approver: Approver,
  only?: string,
): Promise<void> {
  const approval = await approver(session);
  if (!approval) return;
  const { author, why } = approval;
  await sessions.use(session, async ({ asks }) => {
    const open = only === undefined ? asks.open : [asks.openOne(only)];
    for (const permission of open) {
      if (!permission || !callIn(permission.request) || asks.isForPeople(permission.request)) continue;
      const { requestId } = permission;
      // One that cannot be answered must not hold the others up.
      const answered = asks.answer(requestId, { behavior: 'allow', why }, author);
      await answered.catch((error: unknown) => onTrouble(error, session));
    }
  });
}
