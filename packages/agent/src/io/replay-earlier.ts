import type { OutboundAgentMessage } from '@signalbox/protocol';
import { syntheticReply } from '../loop/synthetic-reply.ts';
import type { LoadedSession } from '../session/load-session.ts';

/** How much of a conversation a person is shown again who comes back to it. */
const REPLAYED_MESSAGES = 20;

/** What was said last in a resumed session, in messages that a chat can show: words, without tools and notes. */
export function earlierWords({ messages }: LoadedSession, sessionId: string): OutboundAgentMessage[] {
  const words = messages
    .map(({ role, content }) => ({ role, text: wordsOf(content) }))
    .filter(({ text }) => text !== '')
    .slice(-REPLAYED_MESSAGES)
    .map(({ role, text }) => (role === 'assistant' ? reply(text, sessionId) : prompt(text, sessionId)));
  if (words.length === 0) return [];
  const uuid = crypto.randomUUID();
  // Nobody is at work because of what was said long ago.
  return [
    ...words,
    { type: 'system', subtype: 'session_state_changed', state: 'idle', session_id: sessionId, uuid },
  ];
}

function wordsOf(content: string | readonly { type: string; text?: unknown }[]): string {
  const texts = typeof content === 'string' ? [content] : content.map(({ text }) => text);
  return texts.filter((text) => typeof text === 'string' && !/^<[a-z-]+>/.test(text)).join('\n');
}

function prompt(text: string, session_id: string): OutboundAgentMessage {
  return {
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id,
    uuid: crypto.randomUUID(),
    isReplay: true,
  };
}

function reply(text: string, session_id: string): OutboundAgentMessage {
  return {
    type: 'assistant',
    message: syntheticReply(text),
    parent_tool_use_id: null,
    session_id,
    uuid: crypto.randomUUID(),
  };
}
