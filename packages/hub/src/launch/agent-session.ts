import type { Entry, SessionRecord } from '../store/record.ts';

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
  return type === 'result' || (type === 'system' && subtype === 'init') ? sessionId : undefined;
}
