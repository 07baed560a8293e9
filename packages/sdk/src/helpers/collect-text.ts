import type { SDKMessage } from '../types/messages.ts';

/** All that an agent says in words, without what its sub-agents say: read to the end, a paragraph for each text. */
export async function collectText(messages: AsyncIterable<SDKMessage>): Promise<string> {
  const texts: string[] = [];
  for await (const message of messages) {
    if (message.type !== 'assistant' || message.parent_tool_use_id) continue;
    for (const block of message.message.content) if (block.type === 'text') texts.push(block.text);
  }
  return texts.join('\n\n');
}
