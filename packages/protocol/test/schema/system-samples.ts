import type { OutboundAgentMessage } from '@signalbox/protocol';
import { ids, type Sample, sample } from './sample.ts';

function system(message: OutboundAgentMessage, ...essential: string[]) {
  return sample(message, 'subtype', ...essential);
}

export const systemSamples: readonly Sample<OutboundAgentMessage>[] = [
  system(
    {
      type: 'system',
      subtype: 'init',
      cwd: '/p',
      model: 'm',
      permissionMode: 'default',
      tools: [],
      mcp_servers: [{ name: 'n', status: 'connected' }],
      slash_commands: [],
      output_style: 'default',
      apiKeySource: 'none',
      claude_code_version: '1',
      ...ids,
    },
    'session_id',
    'mcp_servers[0].name',
  ),
  system({ type: 'system', subtype: 'status', status: 'compacting', permissionMode: 'plan', ...ids }),
  system(
    {
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { trigger: 'auto', pre_tokens: 1 },
      ...ids,
    },
    'compact_metadata',
  ),
  system(
    {
      type: 'system',
      subtype: 'files_persisted',
      files: [{ filename: 'f', file_id: 'i' }],
      failed: [{ filename: 'f', error: 'e' }],
      processed_at: 'now',
      ...ids,
    },
    'files',
    'files[0].filename',
    'failed[0].filename',
  ),
  system({
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 2,
    retry_delay_ms: 3,
    error_status: null,
    ...ids,
  }),
  system({ type: 'system', subtype: 'thinking_tokens', estimated_tokens: 1, ...ids }, 'estimated_tokens'),
  system({ type: 'system', subtype: 'session_state_changed', state: 'idle', ...ids }, 'state'),
  system({ type: 'system', subtype: 'local_command_output', content: 'c', ...ids }, 'content'),
  system(
    {
      type: 'system',
      subtype: 'commands_changed',
      commands: [{ name: 'n', description: 'd', argumentHint: '' }],
      ...ids,
    },
    'commands[0].name',
  ),
  system({ type: 'system', subtype: 'notification', text: 't', key: 'k', priority: 'low', ...ids }, 'text'),
  system(
    {
      type: 'system',
      subtype: 'permission_denied',
      tool_name: 'Bash',
      tool_use_id: 't',
      message: 'm',
      ...ids,
    },
    'tool_name',
  ),
  system({ type: 'system', subtype: 'informational', content: 'c', level: 'info', ...ids }, 'content'),
  system({ type: 'system', subtype: 'task_started', task_id: 't', description: 'd', ...ids }, 'task_id'),
  system(
    {
      type: 'system',
      subtype: 'task_progress',
      task_id: 't',
      description: 'd',
      usage: { total_tokens: 1, tool_uses: 1, duration_ms: 1 },
      ...ids,
    },
    'task_id',
  ),
  system(
    {
      type: 'system',
      subtype: 'background_tasks_changed',
      tasks: [{ task_id: 't', task_type: 'local_bash', description: 'd' }],
      ...ids,
    },
    'tasks',
  ),
  system(
    { type: 'system', subtype: 'task_updated', task_id: 't', patch: { status: 'killed' }, ...ids },
    'task_id',
    'patch',
  ),
  system(
    {
      type: 'system',
      subtype: 'task_notification',
      task_id: 't',
      status: 'completed',
      output_file: '',
      summary: 's',
      ...ids,
    },
    'task_id',
    'status',
  ),
  system(
    { type: 'system', subtype: 'hook_started', hook_id: 'h', hook_name: 'n', hook_event: 'Stop', ...ids },
    'hook_id',
  ),
  system(
    {
      type: 'system',
      subtype: 'hook_progress',
      hook_id: 'h',
      hook_name: 'n',
      hook_event: 'Stop',
      output: '',
      stdout: '',
      stderr: '',
      ...ids,
    },
    'hook_id',
  ),
  system(
    {
      type: 'system',
      subtype: 'hook_response',
      hook_id: 'h',
      hook_name: 'n',
      hook_event: 'Stop',
      output: '',
      stdout: '',
      stderr: '',
      exit_code: 0,
      outcome: 'success',
      ...ids,
    },
    'hook_id',
    'outcome',
  ),
];
