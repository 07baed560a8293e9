import type { PermissionUpdate } from './permissions.ts';

/** Every event that a hook can be registered for; agents ignore those that they do not know. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
] as const;

/** One of {@link HOOK_EVENTS}. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Why a session ended. */
export const EXIT_REASONS = ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'] as const;
export type ExitReason = (typeof EXIT_REASONS)[number];

/** What every hook is told. */
export interface BaseHookInput {
  session_id: string;
  transcript_path: string;
  cwd: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
}

type Input<E extends HookEvent, F = unknown> = BaseHookInput & { hook_event_name: E } & F;
interface Call {
  tool_name: string;
  tool_input: unknown;
  mcp_server?: { name: string; source: string };
}

export type PreToolUseHookInput = Input<'PreToolUse', Call & { tool_use_id: string }>;
export type PostToolUseHookInput = Input<
  'PostToolUse',
  Call & { tool_response: unknown; tool_use_id: string; duration_ms?: number }
>;
export type PostToolUseFailureHookInput = Input<
  'PostToolUseFailure',
  Call & { tool_use_id: string; error: string; is_interrupt?: boolean; duration_ms?: number }
>;
export type NotificationHookInput = Input<
  'Notification',
  { message: string; title?: string; notification_type: string }
>;
export type UserPromptSubmitHookInput = Input<'UserPromptSubmit', { prompt: string }>;
export type SessionStartHookInput = Input<
  'SessionStart',
  { source: 'startup' | 'resume' | 'clear' | 'compact'; model?: string }
>;
export type SessionEndHookInput = Input<'SessionEnd', { reason: ExitReason }>;
export type StopHookInput = Input<'Stop', { stop_hook_active: boolean; last_assistant_message?: string }>;
export type SubagentStartHookInput = Input<'SubagentStart', { agent_id: string; agent_type: string }>;
export type SubagentStopHookInput = Input<
  'SubagentStop',
  {
    stop_hook_active: boolean;
    agent_id: string;
    agent_transcript_path: string;
    agent_type: string;
    last_assistant_message?: string;
  }
>;
export type PreCompactHookInput = Input<
  'PreCompact',
  { trigger: 'manual' | 'auto'; custom_instructions: string | null }
>;
export type PermissionRequestHookInput = Input<
  'PermissionRequest',
  Call & { permission_suggestions?: PermissionUpdate[] }
>;
export type PermissionDeniedHookInput = Input<
  'PermissionDenied',
  Call & { tool_use_id: string; reason: string }
>;
export type SetupHookInput = Input<'Setup', { trigger: 'init' | 'maintenance' }>;
export type TeammateIdleHookInput = Input<'TeammateIdle', { teammate_name: string; team_name: string }>;
export type TaskCompletedHookInput = Input<
  'TaskCompleted',
  {
    task_id: string;
    task_subject: string;
    task_description?: string;
    teammate_name?: string;
    team_name?: string;
  }
>;

type Described =
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | NotificationHookInput
  | UserPromptSubmitHookInput
  | SessionStartHookInput
  | SessionEndHookInput
  | StopHookInput
  | SubagentStartHookInput
  | SubagentStopHookInput
  | PreCompactHookInput
  | PermissionRequestHookInput
  | PermissionDeniedHookInput
  | SetupHookInput
  | TeammateIdleHookInput
  | TaskCompletedHookInput;

/** What a hook is told. Events of newer agents come with fields that are not described here. */
export type HookInput =
  | Described
  | Input<Exclude<HookEvent, Described['hook_event_name']>, Record<string, unknown>>;

interface Context<E extends HookEvent> {
  hookEventName: E;
  additionalContext?: string;
}

export type PreToolUseHookSpecificOutput = Context<'PreToolUse'> & {
  permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer';
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
};
export type PostToolUseHookSpecificOutput = Context<'PostToolUse'> & { updatedMCPToolOutput?: unknown };
export interface PermissionRequestHookSpecificOutput {
  hookEventName: 'PermissionRequest';
  decision:
    | {
        behavior: 'allow';
        updatedInput?: Record<string, unknown>;
        updatedPermissions?: PermissionUpdate[];
      }
    | { behavior: 'deny'; message?: string; interrupt?: boolean };
}
type OtherSpecificOutput = Context<Exclude<HookEvent, 'PreToolUse' | 'PostToolUse' | 'PermissionRequest'>> &
  Record<string, unknown>;

/** A hook's decision. */
export interface SyncHookJSONOutput {
  continue?: boolean;
  suppressOutput?: boolean;
  stopReason?: string;
  decision?: 'approve' | 'block';
  systemMessage?: string;
  reason?: string;
  hookSpecificOutput?:
    | PreToolUseHookSpecificOutput
    | PostToolUseHookSpecificOutput
    | PermissionRequestHookSpecificOutput
    | OtherSpecificOutput;
}

/** What a hook says that goes on by itself: the agent does not wait for it. */
export interface AsyncHookJSONOutput {
  async: true;
  asyncTimeout?: number;
}

/** What a hook answers. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;

/** A hook. What it throws becomes an error answer; the signal fires when the agent no longer waits. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookJSONOutput>;

/** Hooks, and the calls that they are for: `Bash`, `Write|Edit`, all of them without a matcher. */
export interface HookCallbackMatcher {
  matcher?: string;
  hooks: HookCallback[];
  /** In seconds; the agent goes on without an answer after that. */
  timeout?: number;
  onFailure?: 'continue' | 'block';
}
