import type { ExitReason, HookEvent } from './hook-events.ts';
import type { McpServerProvenance } from './mcp.ts';
import type { SDKAssistantMessageError } from './messages.ts';
import type { PermissionUpdate } from './permissions.ts';

/** What every hook is told. */
export interface BaseHookInput {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: { level: string };
}

type Input<E extends HookEvent, F = unknown> = BaseHookInput & { hook_event_name: E } & F;
interface Call {
  tool_name: string;
  tool_input: unknown;
  mcp_server?: McpServerProvenance;
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
/** Something that goes on in the background. */
export interface BackgroundTaskSummary {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
}
/** A prompt that comes at set times. */
export interface SessionCronSummary {
  id: string;
  schedule: string;
  recurring: boolean;
  prompt: string;
}
interface Stopped {
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
}
export type StopHookInput = Input<'Stop', Stopped>;
export type SubagentStartHookInput = Input<'SubagentStart', { agent_id: string; agent_type: string }>;
export type SubagentStopHookInput = Input<
  'SubagentStop',
  Stopped & { agent_id: string; agent_transcript_path: string; agent_type: string }
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
interface TaskOfTeam {
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
}
export type TaskCompletedHookInput = Input<'TaskCompleted', TaskOfTeam>;

export type PostToolBatchHookInput = Input<'PostToolBatch', { tool_calls: PostToolBatchToolCall[] }>;
/** One of the calls that ran together. */
export interface PostToolBatchToolCall {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
}
export type UserPromptExpansionHookInput = Input<
  'UserPromptExpansion',
  {
    expansion_type: 'slash_command' | 'mcp_prompt';
    command_name: string;
    command_args: string;
    command_source?: string;
    prompt: string;
  }
>;
export type StopFailureHookInput = Input<
  'StopFailure',
  { error: SDKAssistantMessageError; error_details?: string; last_assistant_message?: string }
>;
export type PostCompactHookInput = Input<
  'PostCompact',
  { trigger: 'manual' | 'auto'; compact_summary: string }
>;
interface ModelSwitch<Source extends string> {
  from_model: string;
  to_model: string;
  requested_model: string | null;
  source: Source;
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: '5m' | '1h';
  estimated_cache_write_usd: number;
  pricing: 'configured' | 'catalog' | 'default';
}
export type PreModelSwitchHookInput = Input<'PreModelSwitch', ModelSwitch<'command' | 'picker' | 'sdk'>>;
export type PostModelSwitchHookInput = Input<
  'PostModelSwitch',
  ModelSwitch<'command' | 'picker' | 'sdk' | 'auto' | 'resume'>
>;
interface Elicited {
  mcp_server_name: string;
  mode?: 'form' | 'url';
  elicitation_id?: string;
}
export type ElicitationHookInput = Input<
  'Elicitation',
  Elicited & { message: string; url?: string; requested_schema?: Record<string, unknown> }
>;
export type ElicitationResultHookInput = Input<
  'ElicitationResult',
  Elicited & { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> }
>;
export type ConfigChangeHookInput = Input<
  'ConfigChange',
  {
    source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
    file_path?: string;
  }
>;
export type InstructionsLoadedHookInput = Input<
  'InstructionsLoaded',
  {
    file_path: string;
    memory_type: 'User' | 'Project' | 'Local' | 'Managed';
    load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
    globs?: string[];
    trigger_file_path?: string;
    parent_file_path?: string;
  }
>;
export type TaskCreatedHookInput = Input<'TaskCreated', TaskOfTeam>;
export type WorktreeCreateHookInput = Input<'WorktreeCreate', { name: string }>;
export type WorktreeRemoveHookInput = Input<'WorktreeRemove', { worktree_path: string }>;
export type CwdChangedHookInput = Input<'CwdChanged', { old_cwd: string; new_cwd: string }>;
export type FileChangedHookInput = Input<
  'FileChanged',
  { file_path: string; event: 'change' | 'add' | 'unlink' }
>;
export type DirectoryAddedHookInput = Input<
  'DirectoryAdded',
  { directory: string; source: 'slash_command' | 'register_repo_root' }
>;
export type MessageDisplayHookInput = Input<
  'MessageDisplay',
  { turn_id: string; message_id: string; index: number; final: boolean; delta: string }
>;

/** What a hook is told. */
export type HookInput =
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
  | TaskCompletedHookInput
  | PostToolBatchHookInput
  | UserPromptExpansionHookInput
  | StopFailureHookInput
  | PostCompactHookInput
  | PreModelSwitchHookInput
  | PostModelSwitchHookInput
  | ElicitationHookInput
  | ElicitationResultHookInput
  | ConfigChangeHookInput
  | InstructionsLoadedHookInput
  | TaskCreatedHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput
  | CwdChangedHookInput
  | FileChangedHookInput
  | DirectoryAddedHookInput
  | MessageDisplayHookInput;
