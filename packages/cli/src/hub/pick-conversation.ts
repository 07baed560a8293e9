import { SignalboxError } from '@signalbox/protocol';
import type { HubApi, StoredConversation } from 'signalbox/hub';
import { commandHere } from '../own-command.ts';
import { pickById } from './pick-by-id.ts';

/** How far back a conversation is looked for. */
const LOOKED_THROUGH = 500;

/** No conversation, or more than one, is meant by what was said. */
export class ConversationUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('CONVERSATION_UNCLEAR', `${problem} ${commandHere('conversations')} lists them.`);
  }
}

/** The conversation on the hub's machine whose id begins so. Raises `CONVERSATION_UNCLEAR`. */
export async function pickConversation(api: HubApi, start: string): Promise<StoredConversation> {
  const { items } = await api.conversations({ limit: LOOKED_THROUGH });
  return pickById(items, start, 'conversation', ConversationUnclearError);
}
