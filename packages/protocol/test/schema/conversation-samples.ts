import type { OutboundAgentMessage } from '@signalbox/protocol';
import { ids, type Sample, sample } from './sample.ts';

const usage = { input_tokens: 1, output_tokens: 2 };
const outcome = {
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: 'end_turn',
  total_cost_usd: 0,
  usage,
  modelUsage: {},
  permission_denials: [{ tool_name: 'Bash', tool_use_id: 't', tool_input: {} }],
  ...ids,
};
const OUTCOME = [
  'subtype',
  'is_error',
  'duration_ms',
  'duration_api_ms',
  'num_turns',
  'session_id',
  'permission_denials[0].tool_name',
];

export const conversationSamples: readonly Sample<OutboundAgentMessage>[] = [
  sample(
    {
      type: 'assistant',
      message: {
        id: 'm-1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        stop_reason: null,
        usage,
        content: [
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'text', text: 't' },
          { type: 'tool_use', id: 't-1', name: 'Bash', input: {} },
        ],
      },
      parent_tool_use_id: null,
      ...ids,
    },
    'message',
    'message.model',
    'message.content',
    'message.content[0].type',
    'message.content[0].thinking',
    'message.content[0].signature',
    'message.content[1].type',
    'message.content[1].text',
    'message.content[2].type',
    'message.content[2].id',
    'message.content[2].name',
    'message.content[2].input',
  ),
  sample(
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't-1', content: [{ type: 'text', text: 'ok' }] }],
      },
      parent_tool_use_id: null,
      ...ids,
    },
    'message',
    'message.role',
    'message.content',
    'message.content[0].type',
    'message.content[0].tool_use_id',
    'message.content[0].content[0].type',
    'message.content[0].content[0].text',
  ),
  sample(
    {
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
      parent_tool_use_id: null,
      ...ids,
    },
    'uuid',
    'session_id',
    'event',
    'event.type',
    'event.index',
    'event.delta',
    'event.delta.type',
    'event.delta.text',
  ),
  sample({ type: 'result', subtype: 'success', result: 'r', ...outcome }, ...OUTCOME),
  sample({ type: 'result', subtype: 'error_during_execution', errors: [], ...outcome }, ...OUTCOME),
  sample({ type: 'result', subtype: 'error_max_turns', errors: [], ...outcome }, ...OUTCOME),
  sample({ type: 'result', subtype: 'error_max_budget_usd', errors: [], ...outcome }, ...OUTCOME),
  sample(
    { type: 'result', subtype: 'error_max_structured_output_retries', errors: [], ...outcome },
    ...OUTCOME,
  ),
];

export const progressSamples: readonly Sample<OutboundAgentMessage>[] = [
  sample(
    {
      type: 'tool_progress',
      tool_use_id: 't',
      tool_name: 'Bash',
      elapsed_time_seconds: 1,
      parent_tool_use_id: null,
      ...ids,
    },
    'tool_use_id',
    'tool_name',
  ),
  sample({ type: 'tool_use_summary', summary: 's', preceding_tool_use_ids: [], ...ids }, 'summary'),
  sample({ type: 'streamlined_text', text: 't', ...ids }, 'text'),
  sample({ type: 'streamlined_tool_use_summary', tool_summary: 't', ...ids }, 'tool_summary'),
  sample({ type: 'auth_status', isAuthenticating: true, output: [], ...ids }, 'isAuthenticating'),
  sample(
    { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1 }, ...ids },
    'rate_limit_info',
    'rate_limit_info.status',
  ),
  sample({ type: 'prompt_suggestion', suggestion: 's', ...ids }, 'suggestion'),
  sample({ type: 'conversation_reset', new_conversation_id: 's-2', ...ids }),
  sample(
    { type: 'transcript_mirror', filePath: '/p/s-2.jsonl', entries: [{ type: 'user', uuid: 'u-1' }] },
    'filePath',
    'entries',
  ),
  sample({ type: 'command_lifecycle', command_uuid: 'u', state: 'queued', ...ids }, 'command_uuid', 'state'),
  sample({ type: 'keep_alive' }),
];
