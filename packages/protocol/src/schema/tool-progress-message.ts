import { envelope, parentToolUse } from './envelope.ts';
import { expected, list, literal, number, object, optional, text } from './wire.ts';

/** How tool calls get on while they run, and what they came to. */
export const toolProgressMessages = {
  tool_progress: object({
    type: literal('tool_progress'),
    tool_use_id: text,
    tool_name: text,
    elapsed_time_seconds: expected(number),
    ...parentToolUse,
    task_id: optional(text),
    ...envelope,
  }),
  tool_use_summary: object({
    type: literal('tool_use_summary'),
    summary: text,
    preceding_tool_use_ids: expected(list(text)),
    ...envelope,
  }),
  streamlined_text: object({ type: literal('streamlined_text'), text, ...envelope }),
  streamlined_tool_use_summary: object({
    type: literal('streamlined_tool_use_summary'),
    tool_summary: text,
    ...envelope,
  }),
};
