import type { OutboundAgentMessage } from '@signalbox/protocol';
import type { SessionLog } from '../session/transcript.ts';
import type { Reply } from './read-reply.ts';

/** A content block of a reply, as the host was told of it. */
export type ToldBlock = Extract<OutboundAgentMessage, { type: 'assistant' }>;

/** Take down what belongs to the conversation: replies, tool results and notes to the model. Prompts are taken down when they are taken. */
export function noteMessage(log: SessionLog, message: OutboundAgentMessage): void {
  if (message.type === 'assistant') {
    const { uuid, message: content, request_id: requestId } = message;
    log.add({ type: 'assistant', uuid, message: content, ...(requestId === undefined ? {} : { requestId }) });
  }
  if (message.type !== 'user' || message.isReplay) return;
  const { uuid, message: content, tool_use_result: toolUseResult } = message;
  log.add({
    type: 'user',
    uuid,
    message: content,
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
  });
}

/** The blocks of a reply, once it has ended: what it cost is known only then, and whoever adds transcripts up reads it from there. */
export function noteReply(
  log: SessionLog,
  blocks: readonly ToldBlock[],
  { usage, stopReason: stop_reason }: Reply,
): void {
  for (const block of blocks)
    noteMessage(log, { ...block, message: { ...block.message, stop_reason, usage } });
}
