import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from '@signalbox/protocol';
import type { HubApi } from 'signalbox/hub';

/** A prompt or a reply of a session, by the number of its entry. */
export interface SaidMessage {
  seq: number;
  by: 'person' | 'agent';
  uuid: string;
  text: string;
}

/** The newest prompts of people and replies of the agent in a session, in their order. */
export async function messagesOf(api: HubApi, session: string, limit: number): Promise<SaidMessage[]> {
  const messages: SaidMessage[] = [];
  for (let before: number | undefined; before === undefined || before > 1; ) {
    const { entries } = await api.events(session, before === undefined ? {} : { before });
    for (const { seq, author, message } of entries.toReversed()) {
      const by = isJsonObject(message) ? sayerOf(message, author?.by) : undefined;
      if (by && isJsonObject(message))
        messages.unshift({
          seq,
          by,
          uuid: textAt(message, 'uuid'),
          text: textOf(objectAt(message, 'message')),
        });
    }
    if (entries.length === 0 || messages.length >= limit) break;
    before = entries[0]?.seq;
  }
  return messages.slice(-limit);
}

/** What sub-agents say among themselves is no place to go on from. */
function sayerOf(message: JsonObject, author: string | undefined): SaidMessage['by'] | undefined {
  if (message.type === 'user' && author === 'person') return 'person';
  const isReply = message.type === 'assistant' && typeof message.parent_tool_use_id !== 'string';
  return isReply && author !== 'person' ? 'agent' : undefined;
}

/** The words of a message; where it has none, what it calls. */
function textOf(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content;
  return listAt(message, 'content')
    .map((block) => (isJsonObject(block) ? textAt(block, 'text') || textAt(block, 'name') : ''))
    .filter(Boolean)
    .join(' ');
}
