import { envelope } from './envelope.ts';
import { choice, expected, flag, list, literal, number, object, optional, text } from './wire.ts';

const task = {
  type: literal('system'),
  task_id: text,
  tool_use_id: optional(text),
  run_id: optional(text),
  ...envelope,
};
const taskUsage = object({
  total_tokens: expected(number),
  tool_uses: expected(number),
  duration_ms: expected(number),
});

/** The life of a background task or sub-agent. */
export const taskMessages = {
  task_started: object({
    ...task,
    subtype: literal('task_started'),
    description: expected(text),
    task_type: optional(text),
    subagent_type: optional(text),
    is_backgrounded: optional(flag),
    spawn_depth: optional(number),
    prompt: optional(text),
  }),
  task_progress: object({
    ...task,
    subtype: literal('task_progress'),
    description: expected(text),
    subagent_type: optional(text),
    usage: optional(taskUsage),
    last_tool_name: optional(text),
    summary: optional(text),
  }),
  task_updated: object({
    ...task,
    subtype: literal('task_updated'),
    patch: object({
      status: optional(choice(['pending', 'running', 'completed', 'failed', 'killed', 'paused'])),
      description: optional(text),
      end_time: optional(number),
      total_paused_ms: optional(number),
      error: optional(text),
      is_backgrounded: optional(flag),
    }),
  }),
  background_tasks_changed: object({
    type: literal('system'),
    subtype: literal('background_tasks_changed'),
    tasks: list(
      object({
        task_id: expected(text),
        run_id: optional(text),
        task_type: expected(text),
        description: expected(text),
      }),
    ),
    ...envelope,
  }),
  task_notification: object({
    ...task,
    subtype: literal('task_notification'),
    status: choice(['completed', 'failed', 'stopped']),
    output_file: expected(text),
    summary: expected(text),
    usage: optional(taskUsage),
  }),
};
