import type { HookEvent } from './hook-events.ts';
import type { PermissionUpdate } from './permissions.ts';

interface Context<E extends HookEvent> {
  hookEventName: E;
  additionalContext?: string;
}

/** What a hook decides about a call. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';
export type PreToolUseHookSpecificOutput = Context<'PreToolUse'> & {
  permissionDecision?: HookPermissionDecision;
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
export type UserPromptSubmitHookSpecificOutput = Context<'UserPromptSubmit'> & {
  sessionTitle?: string;
  suppressOriginalPrompt?: boolean;
};
export type UserPromptExpansionHookSpecificOutput = Context<'UserPromptExpansion'> & {
  suppressOriginalPrompt?: boolean;
};
export type SessionStartHookSpecificOutput = Context<'SessionStart'> & {
  initialUserMessage?: string;
  sessionTitle?: string;
  watchPaths?: string[];
  reloadSkills?: boolean;
};
export type NotificationHookSpecificOutput = Context<'Notification'>;
export type PostModelSwitchHookSpecificOutput = Context<'PostModelSwitch'>;
export type PostToolBatchHookSpecificOutput = Context<'PostToolBatch'>;
export type PostToolUseFailureHookSpecificOutput = Context<'PostToolUseFailure'>;
export type SetupHookSpecificOutput = Context<'Setup'>;
export type StopHookSpecificOutput = Context<'Stop'>;
export type SubagentStartHookSpecificOutput = Context<'SubagentStart'>;
export type SubagentStopHookSpecificOutput = Context<'SubagentStop'>;
export interface PermissionDeniedHookSpecificOutput {
  hookEventName: 'PermissionDenied';
  retry?: boolean;
}
export interface PreModelSwitchHookSpecificOutput {
  hookEventName: 'PreModelSwitch';
  permissionDecision?: 'allow' | 'deny' | 'ask';
  permissionDecisionReason?: string;
}
export interface ElicitationHookSpecificOutput {
  hookEventName: 'Elicitation';
  action?: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}
export interface ElicitationResultHookSpecificOutput {
  hookEventName: 'ElicitationResult';
  action?: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}
export interface CwdChangedHookSpecificOutput {
  hookEventName: 'CwdChanged';
  watchPaths?: string[];
}
export interface FileChangedHookSpecificOutput {
  hookEventName: 'FileChanged';
  watchPaths?: string[];
}
export interface MessageDisplayHookSpecificOutput {
  hookEventName: 'MessageDisplay';
  displayContent?: string;
}
export interface WorktreeCreateHookSpecificOutput {
  hookEventName: 'WorktreeCreate';
  worktreePath: string;
}

/** What a hook says that only its event understands. */
export type HookSpecificOutput =
  | PreToolUseHookSpecificOutput
  | PostToolUseHookSpecificOutput
  | PermissionRequestHookSpecificOutput
  | UserPromptSubmitHookSpecificOutput
  | UserPromptExpansionHookSpecificOutput
  | SessionStartHookSpecificOutput
  | NotificationHookSpecificOutput
  | PostModelSwitchHookSpecificOutput
  | PostToolBatchHookSpecificOutput
  | PostToolUseFailureHookSpecificOutput
  | SetupHookSpecificOutput
  | StopHookSpecificOutput
  | SubagentStartHookSpecificOutput
  | SubagentStopHookSpecificOutput
  | PermissionDeniedHookSpecificOutput
  | PreModelSwitchHookSpecificOutput
  | ElicitationHookSpecificOutput
  | ElicitationResultHookSpecificOutput
  | CwdChangedHookSpecificOutput
  | FileChangedHookSpecificOutput
  | MessageDisplayHookSpecificOutput
  | WorktreeCreateHookSpecificOutput;
