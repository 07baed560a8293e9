import type { ContentBlock } from '@signalbox/protocol';
import { noTokens } from './token-count.ts';

/** The body of an `assistant` message that is said in the model's place. */
export function syntheticReply(text: string) {
  const content: ContentBlock[] = [{ type: 'text', text }];
  return {
    id: crypto.randomUUID(),
    type: 'message' as const,
    role: 'assistant' as const,
    model: '<synthetic>',
    content,
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    usage: noTokens(),
  };
}
