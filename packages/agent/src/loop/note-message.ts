import type { OutboundAgentMessage } from '@signalbox/protocol';
import type { SessionLog } from '../session/transcript.ts';

/** Take down what belongs to the conversation: replies, tool results and notes to the model. Prompts are taken down when they are taken. */
export function noteMessage(log: SessionLog, message: OutboundAgentMessage): void {
  if (message.type === 'assistant')
    log.add({ type: 'assistant', uuid: message.uuid, message: message.message });
  if (message.type !== 'user' || message.isReplay) return;
  const { uuid, message: content, tool_use_result: toolUseResult } = message;
  log.add({
    type: 'user',
    uuid,
    message: content,
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
  });
}
