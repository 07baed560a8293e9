import type { MessageParam } from '../types/api-message.ts';
import type { SDKUserMessage } from '../types/messages.ts';

/** A prompt as it travels. The agent knows the session; the empty id says so. */
export function promptMessage(content: MessageParam['content']): SDKUserMessage {
  return { type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null };
}
