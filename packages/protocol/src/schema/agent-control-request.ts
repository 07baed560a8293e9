import { hookInput } from './hook-input.ts';
import { mcpMessageRequest } from './mcp.ts';
import { oneOf } from './one-of.ts';
import { permissionUpdate } from './permission-update.ts';
import {
  anyObject,
  anything,
  expected,
  flag,
  type Inbound,
  list,
  literal,
  object,
  optional,
  text,
} from './wire.ts';

const canUseTool = object({
  subtype: literal('can_use_tool'),
  tool_name: text,
  input: anyObject,
  tool_use_id: expected(text),
  permission_suggestions: optional(list(permissionUpdate)),
  blocked_path: optional(text),
  decision_reason: optional(text),
  decision_reason_type: optional(text),
  agent_id: optional(text),
  description: optional(text),
  display_name: optional(text),
  title: optional(text),
  mcp_server: optional(object({ name: text, source: optional(text) })),
  requires_user_interaction: optional(flag),
});

/** What an agent asks its host, by subtype. */
export const agentControlRequests = {
  can_use_tool: canUseTool,
  hook_callback: object({
    subtype: literal('hook_callback'),
    callback_id: text,
    input: hookInput,
    tool_use_id: optional(text),
  }),
  mcp_message: mcpMessageRequest,
  elicitation: object({
    subtype: literal('elicitation'),
    mcp_server_name: text,
    message: expected(text),
    mode: optional(text),
    url: optional(text),
    elicitation_id: optional(text),
    requested_schema: optional(anyObject),
  }),
  request_user_dialog: object({
    subtype: literal('request_user_dialog'),
    dialog_kind: text,
    payload: optional(anything),
    tool_use_id: optional(text),
  }),
};

export const agentControlRequest = oneOf('subtype', agentControlRequests);

/** A tool call that waits for a host's permission. */
export type CanUseToolRequest = Inbound<typeof canUseTool>;
