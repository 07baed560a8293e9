import { promptOrigin } from './envelope.ts';
import { oneOf } from './one-of.ts';
import { modelUsage, usage } from './usage.ts';
import {
  anyObject,
  anything,
  expected,
  flag,
  type Inbound,
  list,
  literal,
  map,
  nullable,
  number,
  object,
  optional,
  text,
} from './wire.ts';

const permissionDenial = object({
  tool_name: text,
  tool_use_id: expected(text),
  tool_input: expected(anyObject),
});

/** How many sub-agents a session has started, and what became of them. */
const subAgentStats = object({
  spawned: expected(number),
  requested: expected(
    object({ background: expected(number), foreground: expected(number), unset: expected(number) }),
  ),
  started_in_background: expected(number),
  max_depth: expected(number),
  spawned_by_subagents: expected(number),
  completed: expected(number),
  failed: expected(number),
  killed: expected(object({ parent: expected(number), user: expected(number), system: expected(number) })),
  refused: optional(
    object({ depth_limit: optional(number), concurrency_limit: optional(number), budget: optional(number) }),
  ),
  by_type: expected(map(number)),
});

const outcome = {
  type: literal('result'),
  is_error: flag,
  duration_ms: number,
  duration_api_ms: number,
  num_turns: number,
  session_id: text,
  uuid: expected(text),
  stop_reason: expected(nullable(text)),
  total_cost_usd: expected(number),
  usage: expected(usage),
  modelUsage: expected(map(modelUsage)),
  permission_denials: expected(list(permissionDenial)),
  terminal_reason: optional(text),
  fast_mode_state: optional(text),
  queued_turn_count: optional(number),
  result_index: optional(number),
  model_usage_since_last_result: optional(map(modelUsage)),
  subagent_stats: optional(subAgentStats),
  origin: optional(anyObject),
  ...promptOrigin,
};

function failure<const S extends string>(subtype: S) {
  return object({ ...outcome, subtype: literal(subtype), errors: expected(list(text)) });
}

export const resultMessages = {
  success: object({
    ...outcome,
    subtype: literal('success'),
    result: expected(text),
    structured_output: optional(anything),
    api_error_status: optional(nullable(number)),
    api_error_type: optional(text),
    ttft_ms: optional(number),
    ttft_stream_ms: optional(number),
    time_to_request_ms: optional(number),
    request_sent_wall_ms: optional(number),
    first_request_input_tokens: optional(number),
    first_request_cache_read_input_tokens: optional(number),
    local_command: optional(text),
  }),
  error_during_execution: failure('error_during_execution'),
  error_max_turns: failure('error_max_turns'),
  error_max_budget_usd: failure('error_max_budget_usd'),
  error_max_structured_output_retries: failure('error_max_structured_output_retries'),
};

export const resultMessage = oneOf('subtype', resultMessages, { type: literal('result') });

/** The end of a turn. */
export type ResultMessage = Inbound<typeof resultMessage>;
