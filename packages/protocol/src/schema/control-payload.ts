import type { agentControlRequests } from './agent-control-request.ts';
import { hookOutput } from './hook-output.ts';
import type { hostControlRequests } from './host-control-request.ts';
import { initializeResponse } from './initialize.ts';
import { mcpServerStatus } from './mcp.ts';
import { permissionMode } from './permission-mode.ts';
import { permissionResult } from './permission-result.ts';
import {
  anyObject,
  anything,
  choice,
  either,
  expected,
  flag,
  type Inbound,
  list,
  map,
  nullable,
  number,
  type Outbound,
  object,
  optional,
  text,
  type Wire,
} from './wire.ts';

type Subtype = keyof typeof agentControlRequests | keyof typeof hostControlRequests;

const nothing = object({});

/** What answers each control request. Shapes that no version declares are free. */
export const controlPayloads = {
  initialize: initializeResponse,
  can_use_tool: permissionResult,
  hook_callback: hookOutput,
  mcp_message: object({ mcp_response: optional(anything) }),
  elicitation: object({ action: choice(['accept', 'decline', 'cancel']), content: optional(anyObject) }),
  request_user_dialog: object({ behavior: choice(['completed', 'cancelled']), result: optional(anything) }),
  interrupt: object({ still_queued: optional(list(anything)), cancelled: optional(list(anything)) }),
  set_permission_mode: object({ mode: expected(permissionMode) }),
  set_model: object({ model: optional(text) }),
  set_max_thinking_tokens: nothing,
  mcp_status: object({ mcpServers: list(mcpServerStatus) }),
  mcp_reconnect: nothing,
  mcp_toggle: nothing,
  mcp_set_servers: object({ added: list(text), removed: list(text), errors: map(text) }),
  mcp_read_resource: anyObject,
  rewind_files: object({
    canRewind: flag,
    error: optional(text),
    filesChanged: optional(either(list(text), number)),
    insertions: optional(number),
    deletions: optional(number),
  }),
  stop_task: nothing,
  background_tasks: anyObject,
  get_task_output: anyObject,
  cancel_async_message: anyObject,
  get_context_usage: object({
    categories: expected(list(anyObject)),
    totalTokens: expected(number),
    maxTokens: expected(number),
    rawMaxTokens: optional(number),
    percentage: expected(number),
    model: expected(text),
    gridRows: optional(list(anything)),
    memoryFiles: optional(list(anyObject)),
    mcpTools: optional(list(anyObject)),
    agents: optional(list(anyObject)),
    isAutoCompactEnabled: optional(flag),
    autoCompactThreshold: optional(number),
    apiUsage: optional(anything),
  }),
  get_usage: anyObject,
  get_session_cost: anyObject,
  get_settings: anyObject,
  apply_flag_settings: anyObject,
  claim_session: object({
    status: optional(text),
    cwd: expected(text),
    session_id: expected(text),
    parked_ms: optional(number),
    sdk_mcp_settled: optional(flag),
    initialize: optional(initializeResponse),
  }),
  update_settings: anyObject,
  get_hooks_listing: anyObject,
  list_models: anyObject,
  list_permission_rules: anyObject,
  set_mcp_permission_mode_override: anyObject,
  file_suggestions: anyObject,
  read_file: object({
    contents: text,
    absPath: optional(text),
    truncated: optional(flag),
    encoding: optional(text),
  }),
  seed_read_state: anyObject,
  generate_session_title: object({ title: expected(nullable(text)) }),
  rename_session: anyObject,
  reload_output_styles: anyObject,
  reload_plugins: anyObject,
  reload_skills: anyObject,
  run_status_line: object({ text: optional(text), padding: optional(number) }),
} satisfies Record<Subtype, Wire>;

/** The subtype of a control request that has a known answer. */
export type ControlSubtype = keyof typeof controlPayloads;

/** What a control request of this subtype is answered with, as received. */
export type ControlPayload<S extends ControlSubtype> = Inbound<(typeof controlPayloads)[S]>;

/** What a control request of this subtype is answered with, as sent. */
export type OutboundControlPayload<S extends ControlSubtype> = Outbound<(typeof controlPayloads)[S]>;
