import type { PromptMessage } from '@signalbox/protocol';
import type { Message } from '../loop/history.ts';

type Content = PromptMessage['message']['content'];

/** The words of a prompt. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n');
}

/** What a host sends goes to the API as it is: it knows more kinds of content than we need to. */
export function asSent(content: Content): Message['content'];
export function asSent(content: unknown): unknown {
  return content;
}
