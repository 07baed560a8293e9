import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from '@signalbox/protocol';
import type { HubApi } from 'signalbox/hub';

/** A prompt of a session, by the number of its entry. */
export interface SaidPrompt {
  seq: number;
  uuid: string;
  text: string;
}

/** The newest prompts that people gave in a session, in their order. */
export async function promptsOf(api: HubApi, session: string, limit: number): Promise<SaidPrompt[]> {
  const prompts: SaidPrompt[] = [];
  for (let before: number | undefined; before === undefined || before > 1; ) {
    const { entries } = await api.events(session, before === undefined ? {} : { before });
    for (const { seq, author, message } of entries.toReversed())
      if (author?.by === 'person' && isJsonObject(message) && message.type === 'user')
        prompts.unshift({ seq, uuid: textAt(message, 'uuid'), text: textOf(objectAt(message, 'message')) });
    if (entries.length === 0 || prompts.length >= limit) break;
    before = entries[0]?.seq;
  }
  return prompts.slice(-limit);
}

function textOf(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content;
  return listAt(message, 'content')
    .map((block) => (isJsonObject(block) ? textAt(block, 'text') : ''))
    .filter(Boolean)
    .join(' ');
}
