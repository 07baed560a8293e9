import type { OutboundAgentMessage, OutboundHostMessage } from '@signalbox/protocol';
import { request, type Sample, sample } from './sample.ts';

type AgentRequest = Extract<OutboundAgentMessage, { type: 'control_request' }>['request'];
type HostRequest = Extract<OutboundHostMessage, { type: 'control_request' }>['request'];

export const envelopeSamples: readonly Sample<OutboundAgentMessage & OutboundHostMessage>[] = [
  sample(
    {
      type: 'control_response',
      response: { subtype: 'success', request_id: 'r', response: { mode: 'plan' } },
    },
    'response',
    'response.subtype',
    'response.request_id',
  ),
  sample(
    {
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: 'r',
        error: 'Already initialized',
        error_code: 'x',
        pending_permission_requests: [
          {
            type: 'control_request',
            request_id: 'r-2',
            request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
          },
        ],
      },
    },
    'response.subtype',
    'response.request_id',
    ...['type', 'request_id', 'request', 'request.subtype', 'request.tool_name', 'request.input'].map(
      (field) => `response.pending_permission_requests[0].${field}`,
    ),
  ),
  sample({ type: 'control_cancel_request', request_id: 'r' }, 'request_id'),
];

const hookBase = { session_id: 's', transcript_path: '/t', cwd: '/p', permission_mode: 'default' };
type AnyHookInput = Extract<AgentRequest, { subtype: 'hook_callback' }>['input'];

/** One input per hook event, and what a hook cannot do without. */
export const hookInputs: readonly [AnyHookInput, ...string[]][] = [
  [
    { hook_event_name: 'PreToolUse', tool_name: 'B', tool_input: {}, tool_use_id: 't', ...hookBase },
    'tool_name',
  ],
  [
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'B',
      tool_input: {},
      tool_response: 'x',
      tool_use_id: 't',
      ...hookBase,
    },
    'tool_name',
  ],
  [
    {
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'B',
      tool_input: {},
      tool_use_id: 't',
      error: 'e',
      ...hookBase,
    },
    'tool_name',
  ],
  [{ hook_event_name: 'Notification', message: 'm', notification_type: 'n', ...hookBase }, 'message'],
  [{ hook_event_name: 'UserPromptSubmit', prompt: 'p', ...hookBase }, 'prompt'],
  [{ hook_event_name: 'SessionStart', source: 'startup', ...hookBase }],
  [{ hook_event_name: 'SessionEnd', reason: 'other', ...hookBase }],
  [{ hook_event_name: 'Stop', stop_hook_active: false, ...hookBase }],
  [{ hook_event_name: 'SubagentStart', agent_id: 'a', agent_type: 't', ...hookBase }, 'agent_id'],
  [{ hook_event_name: 'SubagentStop', stop_hook_active: false, ...hookBase }],
  [{ hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: null, ...hookBase }],
  [
    {
      hook_event_name: 'PermissionRequest',
      tool_name: 'B',
      tool_input: {},
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      ...hookBase,
    },
    'tool_name',
    'permission_suggestions[0].type',
    'permission_suggestions[0].mode',
  ],
  [{ hook_event_name: 'Setup', ...hookBase }],
  [{ hook_event_name: 'TeammateIdle', ...hookBase }],
  [{ hook_event_name: 'TaskCompleted', ...hookBase }],
];

export const agentRequestSamples: readonly Sample<OutboundAgentMessage>[] = [
  request<AgentRequest>(
    {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: {},
      tool_use_id: 't',
      permission_suggestions: [
        { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
        { type: 'addDirectories', directories: ['/d'], destination: 'cliArg' },
      ],
    },
    'tool_name',
    'input',
    'permission_suggestions[0].type',
    'permission_suggestions[0].rules',
    'permission_suggestions[0].rules[0].toolName',
    'permission_suggestions[1].type',
    'permission_suggestions[1].directories',
  ),
  ...hookInputs.map(([input, ...essential]) =>
    request<AgentRequest>(
      { subtype: 'hook_callback', callback_id: 'c', input, tool_use_id: 't' },
      'callback_id',
      'input',
      'input.hook_event_name',
      ...essential.map((field) => `input.${field}`),
    ),
  ),
  request<AgentRequest>({ subtype: 'mcp_message', server_name: 's', message: {} }, 'server_name', 'message'),
  request<AgentRequest>({ subtype: 'elicitation', mcp_server_name: 's', message: 'm' }, 'mcp_server_name'),
  request<AgentRequest>({ subtype: 'request_user_dialog', dialog_kind: 'k', payload: {} }, 'dialog_kind'),
];

export const hostRequestSamples: readonly Sample<OutboundHostMessage>[] = [
  request<HostRequest>(
    {
      subtype: 'initialize',
      hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['h'], timeout: 1 }] },
      systemPrompt: ['a', 'b'],
      agents: { helper: { description: 'd', prompt: 'p' } },
    },
    'hooks.PreToolUse[0].hookCallbackIds',
  ),
  request<HostRequest>({ subtype: 'interrupt' }),
  request<HostRequest>({ subtype: 'set_permission_mode', mode: 'plan' }, 'mode'),
  request<HostRequest>({ subtype: 'set_model', model: null }),
  request<HostRequest>({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: null }),
  request<HostRequest>({ subtype: 'mcp_status' }),
  request<HostRequest>({ subtype: 'mcp_message', server_name: 's', message: {} }, 'server_name', 'message'),
  request<HostRequest>({ subtype: 'mcp_reconnect', serverName: 's' }, 'serverName'),
  request<HostRequest>({ subtype: 'mcp_toggle', serverName: 's', enabled: true }, 'serverName', 'enabled'),
  request<HostRequest>({ subtype: 'mcp_set_servers', servers: { a: { command: 'c' } } }, 'servers'),
  request<HostRequest>({ subtype: 'mcp_read_resource', serverName: 's', uri: 'u' }, 'serverName', 'uri'),
  request<HostRequest>({ subtype: 'rewind_files', user_message_id: 'u', dry_run: true }, 'user_message_id'),
  request<HostRequest>({ subtype: 'stop_task', task_id: 't' }, 'task_id'),
  request<HostRequest>({ subtype: 'background_tasks' }),
  request<HostRequest>({ subtype: 'get_task_output', task_id: 't' }, 'task_id'),
  request<HostRequest>({ subtype: 'cancel_async_message', message_uuid: 'u' }, 'message_uuid'),
  request<HostRequest>({ subtype: 'get_context_usage' }),
  request<HostRequest>({ subtype: 'get_usage' }),
  request<HostRequest>({ subtype: 'get_session_cost' }),
  request<HostRequest>(
    { subtype: 'generate_session_title', description: 'd', persist: false },
    'description',
  ),
  request<HostRequest>({ subtype: 'get_settings' }),
  request<HostRequest>({ subtype: 'apply_flag_settings', settings: {} }, 'settings'),
  request<HostRequest>(
    {
      subtype: 'claim_session',
      cwd: '/work',
      permission_mode: 'plan',
      env: {},
      additional_directories: ['more'],
      append_system_prompt: 'text',
      title: 't',
      agents: { a: {} },
      sdk_mcp_servers: ['s'],
      include_initialize: true,
    },
    'cwd',
  ),
  request<HostRequest>({ subtype: 'update_settings', source: 'localSettings', settings: {} }, 'settings'),
  request<HostRequest>({ subtype: 'get_hooks_listing' }),
  request<HostRequest>({ subtype: 'list_models' }),
  request<HostRequest>({ subtype: 'list_permission_rules' }),
  request<HostRequest>(
    { subtype: 'set_mcp_permission_mode_override', serverName: 's', mode: 'auto' },
    'serverName',
  ),
  request<HostRequest>({ subtype: 'file_suggestions', query: 'q' }, 'query'),
  request<HostRequest>({ subtype: 'read_file', path: 'p', max_bytes: 1 }, 'path'),
  request<HostRequest>({ subtype: 'seed_read_state', path: 'p', mtime: 1 }, 'path', 'mtime'),
  request<HostRequest>({ subtype: 'generate_session_title', description: 'd', persist: true }, 'description'),
  request<HostRequest>({ subtype: 'rename_session', title: 't' }, 'title'),
  request<HostRequest>({ subtype: 'reload_output_styles' }),
  request<HostRequest>({ subtype: 'reload_plugins' }),
  request<HostRequest>({ subtype: 'reload_skills' }),
  request<HostRequest>({ subtype: 'run_status_line', columns: 80, rows: 24 }, 'columns', 'rows'),
];
