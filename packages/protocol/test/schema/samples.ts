import type { OutboundAgentMessage, OutboundHostMessage } from '@signalbox/protocol';
import { agentRequestSamples, envelopeSamples, hostRequestSamples } from './control-samples.ts';
import { conversationSamples, progressSamples } from './conversation-samples.ts';
import { type Sample, sample } from './sample.ts';
import { systemSamples } from './system-samples.ts';

export const agentSamples: readonly Sample<OutboundAgentMessage>[] = [
  ...conversationSamples,
  ...systemSamples,
  ...progressSamples,
  ...envelopeSamples,
  ...agentRequestSamples,
];

export const hostSamples: readonly Sample<OutboundHostMessage>[] = [
  sample(
    { type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null, session_id: '' },
    'message',
    'message.role',
    'message.content',
  ),
  sample({ type: 'update_environment_variables', variables: { A: 'b' } }, 'variables'),
  sample({ type: 'keep_alive' }),
  ...envelopeSamples,
  ...hostRequestSamples,
];
