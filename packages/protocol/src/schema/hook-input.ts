import { oneOf } from './one-of.ts';
import { permissionUpdate } from './permission-update.ts';
import {
  anyObject,
  anything,
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

/** Every event that a hook can be registered for. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PermissionRequest',
  'Setup',
  'TeammateIdle',
  'TaskCompleted',
] as const;

/** One of {@link HOOK_EVENTS}. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

const base = {
  session_id: expected(text),
  transcript_path: expected(text),
  cwd: expected(text),
  permission_mode: optional(text),
  prompt_id: optional(text),
  agent_id: optional(text),
  agent_type: optional(text),
};
const call = { tool_name: text, tool_input: expected(anything) };
const stop = {
  stop_hook_active: expected(flag),
  last_assistant_message: optional(text),
  background_tasks: optional(list(anyObject)),
};

function event<const E extends HookEvent>(name: E) {
  return { hook_event_name: literal(name), ...base };
}

export const hookInput = oneOf('hook_event_name', {
  PreToolUse: object({ ...event('PreToolUse'), ...call, tool_use_id: expected(text) }),
  PostToolUse: object({
    ...event('PostToolUse'),
    ...call,
    tool_response: expected(anything),
    tool_use_id: expected(text),
    duration_ms: optional(number),
  }),
  PostToolUseFailure: object({
    ...event('PostToolUseFailure'),
    ...call,
    tool_use_id: expected(text),
    error: expected(text),
    is_interrupt: optional(flag),
    duration_ms: optional(number),
  }),
  Notification: object({
    ...event('Notification'),
    message: text,
    title: optional(text),
    notification_type: expected(text),
  }),
  UserPromptSubmit: object({ ...event('UserPromptSubmit'), prompt: text }),
  SessionStart: object({
    ...event('SessionStart'),
    source: expected(choice(['startup', 'resume', 'clear', 'compact'])),
    model: optional(text),
  }),
  SessionEnd: object({ ...event('SessionEnd'), reason: expected(text) }),
  Stop: object({ ...event('Stop'), ...stop }),
  SubagentStart: object({ ...event('SubagentStart'), agent_id: text, agent_type: expected(text) }),
  SubagentStop: object({ ...event('SubagentStop'), ...stop, agent_transcript_path: optional(text) }),
  PreCompact: object({
    ...event('PreCompact'),
    trigger: expected(choice(['manual', 'auto'])),
    custom_instructions: expected(nullable(text)),
  }),
  PermissionRequest: object({
    ...event('PermissionRequest'),
    ...call,
    permission_suggestions: optional(list(permissionUpdate)),
  }),
  Setup: object({ ...event('Setup'), trigger: optional(text) }),
  TeammateIdle: object({
    ...event('TeammateIdle'),
    teammate_name: optional(text),
    team_name: optional(text),
  }),
  TaskCompleted: object({
    ...event('TaskCompleted'),
    task_id: optional(text),
    task_subject: optional(text),
    task_description: optional(text),
    teammate_name: optional(text),
    team_name: optional(text),
  }),
});

/** What a hook is told. */
export type HookInput = Inbound<typeof hookInput>;
