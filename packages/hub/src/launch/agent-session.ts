import type { Entry, SessionRecord } from '../store/record.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether an agent can be told to go on with this. Agents take files and URLs as well, which nobody is to name. */
export function isConversation(id: string | undefined): id is string {
  return id !== undefined && UUID.test(id);
}

/** The agent's own name for the conversation of a session, from the newest line that says it. */
export async function agentSessionOf(record: SessionRecord, session: string): Promise<string | undefined> {
  let { entries } = await record.tail(session);
  while (entries.length > 0) {
    const id = entries.toReversed().map(idIn).find(Boolean);
    if (id !== undefined) return id;
    ({ entries } = await record.windowBefore(session, entries[0]?.seq ?? 1));
  }
  return undefined;
}

/** Only these are said by an agent that has a conversation to go on with. */
function idIn(entry: Entry): string | undefined {
  if (entry.kind === 'damaged' || entry.author.by !== 'agent') return undefined;
  const { type, subtype, sessionId } = entry.line.head();
  const isOfConversation = type === 'result' || (type === 'system' && subtype === 'init');
  return isOfConversation && isConversation(sessionId) ? sessionId : undefined;
}
