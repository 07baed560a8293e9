import type { HookEvent, JsonObject } from '@signalbox/protocol';

/** What a hook is told, and by whom it can be interrupted. */
export interface HookCall {
  readonly event: HookEvent;
  /** What matchers were compared with. */
  readonly subject: string | undefined;
  readonly input: JsonObject;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly toolUseId: string;
}

/** Which field of an event's input its matchers look at. Other events have no matchers: all their hooks run. */
const SUBJECT_FIELDS: Partial<Record<HookEvent, string>> = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PermissionRequest: 'tool_name',
  Notification: 'notification_type',
  SessionStart: 'source',
  SessionEnd: 'reason',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  PreCompact: 'trigger',
  Setup: 'trigger',
};

/** What the matchers of an event are compared with. */
export function subjectOf(event: HookEvent, input: JsonObject): string | undefined {
  const field = SUBJECT_FIELDS[event];
  const value = field === undefined ? undefined : input[field];
  return typeof value === 'string' ? value : undefined;
}
