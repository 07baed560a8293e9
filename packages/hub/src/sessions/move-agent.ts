import type { WireLine } from '@signalbox/protocol';
import type { LinkPosition } from '@signalbox/transport';
import type { Inbox } from '../store/prompt.ts';
import type { ConversationStart } from './agent/conversation-change.ts';
import type { LiveSession } from './live-session.ts';

/** Calls `goOn` with the session in which the agent of `current` goes on with a conversation. */
export type SessionFor = (
  current: LiveSession,
  conversation: string,
  goOn: (next: LiveSession) => Promise<void>,
) => Promise<void>;

/** A conversation that an agent begins, and the line by which it does. */
export interface BegunConversation extends ConversationStart {
  said: WireLine;
  position: LinkPosition | undefined;
}

/** The agent of `current` goes on in `next`, which may be the same: with all that it was told and has not got. */
export async function moveAgent(
  inbox: Inbox,
  current: LiveSession,
  next: LiveSession,
  { id, line, said, position }: BegunConversation,
): Promise<void> {
  if (next === current) return current.hear(said, position);
  if (line === 'last-before') await current.hear(said, position);
  const change = { subtype: 'rotated', from: current.agent.session, to: id };
  current.noteInRecord({ ...change, next: next.id });
  await current.settled();
  await next.takeAgentOf(current, id);
  next.noteInRecord({ ...change, previous: current.id });
  if (line === 'first') await next.hear(said, position);
  await movePrompts(inbox, current, next);
}

async function movePrompts(inbox: Inbox, current: LiveSession, next: LiveSession): Promise<void> {
  for (const { id, state, author, content, delivery } of await inbox.list(current.id)) {
    if (state !== 'waiting') continue;
    // First to the one: a hub that is killed here has it twice, and only one of the two has an agent.
    await next.admit({ clientId: `${id}:${next.id}`, author, content, delivery });
    current.promptChanged(await inbox.cancel(id));
  }
}
