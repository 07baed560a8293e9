import type { Entry, SessionRecord } from '../store/record.ts';
import { newestOf } from './newest-entry.ts';
import { viewIn } from './view-mark.ts';

/** Which conversation an agent begins with. */
export type Conversation =
  | { kind: 'new'; id?: string }
  /** Of a copy, `at` is the last message that is in it. */
  | { kind: 'resume'; id: string; isFork: boolean; at?: string };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether an agent can be told to go on with this. Agents take files and URLs as well, which nobody is to name. */
export function isConversation(id: string | undefined): id is string {
  return id !== undefined && UUID.test(id);
}

/** One that nobody has had yet; of the name of its session, where agents take that. */
export function newConversation(session: string): Conversation {
  return isConversation(session) ? { kind: 'new', id: session } : { kind: 'new' };
}

/** The agent's own name for the conversation of a session, from the newest line that says it. */
export function agentSessionOf(record: SessionRecord, session: string): Promise<string | undefined> {
  return newestOf(record, session, idIn);
}

/** The last that an agent said to its people before an entry, by its uuid, and the conversation that it is of. */
export async function saidBefore(
  record: SessionRecord,
  session: string,
  seq: number,
): Promise<{ conversation: string; at: string } | undefined> {
  return newestOf(record, session, replyIn, seq);
}

/** A reply of the agent itself, not of a sub-agent: its uuid, and the conversation that it is of. */
export function replyIn(entry: Entry): { conversation: string; at: string } | undefined {
  if (entry.kind === 'damaged' || entry.author.by === 'person') return undefined;
  const { type, uuid, sessionId, parentToolUseId } = entry.line.head();
  if (type !== 'assistant' || parentToolUseId !== undefined) return undefined;
  return isConversation(sessionId) && isConversation(uuid)
    ? { conversation: sessionId, at: uuid }
    : undefined;
}

/** Only these are said by an agent that has a conversation to go on with, or of one that has come back from its terminal. */
function idIn(entry: Entry): string | undefined {
  if (entry.kind === 'damaged') return undefined;
  const { type, subtype, sessionId } = entry.line.head();
  if (entry.author.by !== 'agent') return resumedIn(entry);
  const isOfConversation = type === 'result' || (type === 'system' && subtype === 'init');
  return isOfConversation && isConversation(sessionId) ? sessionId : undefined;
}

function resumedIn(entry: Entry): string | undefined {
  const mark = viewIn(entry);
  return mark?.view === 'sdk' && mark.resume !== null ? mark.resume : undefined;
}
