import { initializeRequest } from './initialize.ts';
import { mcpMessageRequest, mcpServerConfig } from './mcp.ts';
import { oneOf } from './one-of.ts';
import { permissionMode } from './permission-mode.ts';
import {
  anyObject,
  anything,
  echoed,
  expected,
  type Fields,
  flag,
  list,
  literal,
  map,
  nullable,
  number,
  object,
  optional,
  text,
} from './wire.ts';

function request<const S extends string, F extends Fields>(subtype: S, fields: F) {
  return object({ subtype: literal(subtype), ...fields });
}

/** What a host asks its agent, by subtype. */
export const hostControlRequests = {
  initialize: initializeRequest,
  interrupt: request('interrupt', { cancel_queued: optional(flag) }),
  set_permission_mode: request('set_permission_mode', { mode: permissionMode }),
  set_model: request('set_model', { model: optional(nullable(text)) }),
  set_max_thinking_tokens: request('set_max_thinking_tokens', {
    max_thinking_tokens: expected(nullable(number)),
  }),
  mcp_status: request('mcp_status', {}),
  mcp_message: mcpMessageRequest,
  mcp_reconnect: request('mcp_reconnect', { serverName: text }),
  mcp_toggle: request('mcp_toggle', { serverName: text, enabled: flag }),
  mcp_set_servers: request('mcp_set_servers', { servers: map(echoed(mcpServerConfig)) }),
  mcp_read_resource: request('mcp_read_resource', { serverName: text, uri: text }),
  rewind_files: request('rewind_files', { user_message_id: text, dry_run: optional(flag) }),
  stop_task: request('stop_task', { task_id: text }),
  background_tasks: request('background_tasks', { tool_use_id: optional(text) }),
  get_task_output: request('get_task_output', { task_id: text }),
  cancel_async_message: request('cancel_async_message', { message_uuid: text }),
  get_context_usage: request('get_context_usage', { detail: optional(text) }),
  get_usage: request('get_usage', { skip_behaviors: optional(flag) }),
  get_session_cost: request('get_session_cost', {}),
  get_settings: request('get_settings', {}),
  apply_flag_settings: request('apply_flag_settings', { settings: anyObject }),
  update_settings: request('update_settings', { source: expected(text), settings: anyObject }),
  claim_session: request('claim_session', {
    cwd: text,
    permission_mode: optional(text),
    env: optional(map(text)),
    additional_directories: optional(list(text)),
    append_system_prompt: optional(text),
    title: optional(text),
    agents: optional(map(anything)),
    sdk_mcp_servers: optional(list(text)),
    include_initialize: optional(flag),
  }),
  get_hooks_listing: request('get_hooks_listing', {}),
  list_models: request('list_models', {}),
  list_permission_rules: request('list_permission_rules', {}),
  set_mcp_permission_mode_override: request('set_mcp_permission_mode_override', {
    serverName: text,
    mode: expected(nullable(text)),
  }),
  file_suggestions: request('file_suggestions', { query: text }),
  read_file: request('read_file', { path: text, max_bytes: optional(number), encoding: optional(text) }),
  seed_read_state: request('seed_read_state', { path: text, mtime: number }),
  generate_session_title: request('generate_session_title', {
    description: text,
    persist: optional(flag),
  }),
  rename_session: request('rename_session', { title: text }),
  reload_output_styles: request('reload_output_styles', {}),
  reload_plugins: request('reload_plugins', { hold_on_cache_impact: optional(flag) }),
  reload_skills: request('reload_skills', {}),
  /** Of our own agent: run the `statusLine` of its settings, for a terminal of this size. */
  run_status_line: request('run_status_line', { columns: number, rows: number }),
};

/** The subtypes of what a host may ask. */
export const HOST_CONTROL_SUBTYPES: readonly string[] = Object.keys(hostControlRequests);

export const hostControlRequest = oneOf('subtype', hostControlRequests);
