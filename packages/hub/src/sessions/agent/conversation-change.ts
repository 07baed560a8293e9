import { isJsonObject, type WireLine } from '@signalbox/protocol';

/** A line with which an agent begins a conversation. */
export interface ConversationStart {
  id: string;
  /** Whether the line is the first one of this conversation, or the last one of the conversation before. */
  line: 'first' | 'last-before';
}

/** The conversation that a line of an agent begins; undefined when it goes on with the one that it has. */
export function conversationBegunBy(line: WireLine): ConversationStart | undefined {
  const { type, subtype, sessionId } = line.head();
  if (type === 'system' && subtype === 'init')
    return sessionId ? { id: sessionId, line: 'first' } : undefined;
  if (type !== 'conversation_reset' || line.isTooDeep) return undefined;
  const id = newConversationIn(line);
  return id === undefined ? undefined : { id, line: 'last-before' };
}

function newConversationIn(line: WireLine): string | undefined {
  try {
    const message = line.json();
    const id = isJsonObject(message) ? message['new_conversation_id'] : undefined;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}
