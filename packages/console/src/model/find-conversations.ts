import type { StoredConversation } from '@signalbox/protocol/hub';
import { plainText } from './plain-text.ts';

/** Conversations that have all of these words in their title, folder, branch or id, in their order. */
export function findConversations(
  conversations: readonly StoredConversation[],
  words: string,
): readonly StoredConversation[] {
  const wanted = plainText(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return conversations;
  return conversations.filter(({ id, title, folder, branch }) => {
    const text = plainText([title, folder ?? '', branch ?? '', id].join('\n'));
    return wanted.every((word) => text.includes(word));
  });
}
