import { apiMessage } from './api-message.ts';
import { envelope, parentToolUse, promptOrigin, speaker } from './envelope.ts';
import {
  anyObject,
  choice,
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

const ERRORS = [
  'authentication_failed',
  'billing_error',
  'rate_limit',
  'invalid_request',
  'server_error',
  'max_output_tokens',
  'unknown',
] as const;

export const assistantMessage = object({
  type: literal('assistant'),
  message: apiMessage,
  ...parentToolUse,
  ...speaker,
  error: optional(choice(ERRORS)),
  ...envelope,
  ...promptOrigin,
  timestamp: optional(text),
  request_id: optional(text),
  aborted: optional(flag),
  is_api_error_message: optional(flag),
  api_error_status: optional(nullable(number)),
  api_error_type: optional(text),
  thinking_duration_ms: optional(number),
  tool_use_meta: optional(list(anyObject)),
});

/** What the model said: one message per content block, all with the same `message.id`. */
export type AssistantMessage = Inbound<typeof assistantMessage>;
