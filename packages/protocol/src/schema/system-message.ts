import { envelope } from './envelope.ts';
import { hookMessages } from './hook-message.ts';
import { initMessage } from './init-message.ts';
import { oneOf } from './one-of.ts';
import { permissionMode } from './permission-mode.ts';
import { slashCommand } from './slash-command.ts';
import { taskMessages } from './task-message.ts';
import {
  anyObject,
  choice,
  expected,
  flag,
  type Inbound,
  list,
  literal,
  nullable,
  number,
  object,
  optional,
  text,
} from './wire.ts';

const system = { type: literal('system'), ...envelope };

export const systemMessages = {
  init: initMessage,
  ...taskMessages,
  ...hookMessages,
  status: object({
    ...system,
    subtype: literal('status'),
    status: expected(nullable(choice(['compacting', 'requesting']))),
    permissionMode: optional(permissionMode),
    compact_result: optional(text),
    compact_error: optional(text),
    user_message_uuids: optional(list(text)),
  }),
  compact_boundary: object({
    ...system,
    subtype: literal('compact_boundary'),
    compact_metadata: object({
      trigger: expected(choice(['manual', 'auto'])),
      pre_tokens: expected(number),
      post_tokens: optional(number),
      duration_ms: optional(number),
      preserved_segment: optional(anyObject),
      preserved_messages: optional(anyObject),
    }),
    logical_parent_uuid: optional(text),
  }),
  files_persisted: object({
    ...system,
    subtype: literal('files_persisted'),
    files: list(object({ filename: text, file_id: expected(text) })),
    failed: expected(list(object({ filename: text, error: expected(text) }))),
    processed_at: expected(text),
  }),
  api_retry: object({
    ...system,
    subtype: literal('api_retry'),
    attempt: expected(number),
    max_retries: expected(number),
    retry_delay_ms: expected(number),
    error_status: expected(nullable(number)),
    error: optional(text),
  }),
  thinking_tokens: object({
    ...system,
    subtype: literal('thinking_tokens'),
    estimated_tokens: number,
    estimated_tokens_delta: optional(number),
  }),
  session_state_changed: object({
    ...system,
    subtype: literal('session_state_changed'),
    state: choice(['idle', 'running', 'requires_action']),
  }),
  local_command_output: object({ ...system, subtype: literal('local_command_output'), content: text }),
  commands_changed: object({
    ...system,
    subtype: literal('commands_changed'),
    commands: expected(list(slashCommand)),
  }),
  notification: object({
    ...system,
    subtype: literal('notification'),
    text,
    key: optional(text),
    priority: optional(choice(['low', 'medium', 'high', 'immediate'])),
    color: optional(text),
    timeout_ms: optional(number),
  }),
  permission_denied: object({
    ...system,
    subtype: literal('permission_denied'),
    tool_name: text,
    tool_use_id: expected(text),
    message: expected(text),
    agent_id: optional(text),
    decision_reason: optional(text),
    decision_reason_type: optional(text),
  }),
  informational: object({
    ...system,
    subtype: literal('informational'),
    content: text,
    level: optional(choice(['info', 'notice', 'suggestion', 'warning'])),
    prevent_continuation: optional(flag),
  }),
};

export const systemMessage = oneOf('subtype', systemMessages, { type: literal('system') });

/** What an agent reports about itself. */
export type SystemMessage = Inbound<typeof systemMessage>;
