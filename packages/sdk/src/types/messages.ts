import type { OutboundAgentMessage } from '@signalbox/protocol';
import type { SessionKey } from '../sessions/session-store.ts';
import type { ApiMessage, ApiStreamEvent, MessageParam, NonNullableUsage } from './api-message.ts';
import type { Envelope, UUID } from './envelope.ts';
import type { ModelUsage } from './model-usage.ts';
import type {
  SDKBackgroundTasksChangedMessage,
  SDKContextUsage,
  SDKControlRequestProgressMessage,
  SDKElicitationCompleteMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKPluginInstallMessage,
  SDKSessionWritesLostMessage,
  SDKUsageReport,
  SDKWorkerShuttingDownMessage,
} from './news.ts';
import type { PermissionMode } from './permissions.ts';

/** Why a reply is an error message instead. */
export type SDKAssistantMessageError =
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'unknown'
  | 'max_output_tokens'
  | 'cloud_credential_error';

/** What the model said: agents send one message for each block, all with the same `message.id`. */
export type SDKAssistantMessage = Envelope & {
  type: 'assistant';
  message: ApiMessage;
  parent_tool_use_id: string | null;
  error?: SDKAssistantMessageError;
  request_id?: string;
  timestamp?: string;
  context_usage?: SDKContextUsage;
  usage_report?: SDKUsageReport;
};

/** Who a message is from. */
export type SDKMessageOrigin =
  | { kind: 'human' | 'coordinator' | 'unclassified' | 'auto-continuation' | 'observer-activity' }
  | { kind: 'channel'; server: string }
  | {
      kind: 'peer';
      from: string;
      fromMode?: 'bypass' | 'prompting';
      name?: string;
      fromSession?: string;
      senderTaskId?: string;
      body?: string;
      verifiedPeerPid?: number;
    }
  | {
      kind: 'task-notification';
      subkind?: 'scheduled-trigger' | 'peer-send-message' | 'projects-relay' | 'session-inbox';
      fireReason?: string;
      runId?: string;
    }
  | { kind: 'observer'; from: string; senderTaskId: string };

/** What the model is told: a prompt on its way to the agent, or a tool's result on its way from it. */
export type SDKUserMessage = {
  type: 'user';
  message: MessageParam;
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  shouldQuery?: boolean;
  timestamp?: string;
  client_composed?: true;
  uuid?: UUID;
  session_id?: string;
};

/** A prompt that the agent repeats: of a resumed session, or because it was asked to. */
export type SDKUserMessageReplay = SDKUserMessage & Envelope & { isReplay: true };

/** A tool call that was not permitted. */
export interface SDKPermissionDenial {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
}

/** Why a turn came to its end. */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'budget_exhausted'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'hook_stopped'
  | 'stop_hook_prevented'
  | 'tool_deferred'
  | 'tool_deferred_unavailable'
  | 'background_requested'
  | 'structured_output_retry_exhausted'
  | 'malformed_tool_use_exhausted'
  | 'prompt_too_long'
  | 'blocking_limit'
  | 'rapid_refill_breaker'
  | 'image_error'
  | 'model_error'
  | 'api_error'
  | 'turn_setup_failed';

/** Whether an agent answers faster for more money. */
export type FastModeState = 'off' | 'cooldown' | 'on';
export type FastModeDisabledReason =
  | 'free'
  | 'preference'
  | 'extra_usage_disabled'
  | 'network_error'
  | 'unknown'
  | 'not_first_party'
  | 'disabled_by_env'
  | 'model_not_allowed'
  | 'sdk_opt_in_required'
  | 'pending';

/** A call that a hook put off: the program runs it, and goes on with its result. */
export interface SDKDeferredToolUse {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** Something that a server's tool pointed at. */
export interface SDKMcpResourceLink {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
}

type Outcome = Envelope & {
  type: 'result';
  duration_ms: number;
  duration_api_ms: number;
  is_error: boolean;
  num_turns: number;
  stop_reason: string | null;
  total_cost_usd: number;
  usage: NonNullableUsage;
  modelUsage: Record<string, ModelUsage>;
  permission_denials: SDKPermissionDenial[];
  queued_turn_count?: number;
  terminal_reason?: TerminalReason;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  origin?: SDKMessageOrigin;
};

/** A turn that came to its end. */
export type SDKResultSuccess = Outcome & {
  subtype: 'success';
  result: string;
  structured_output?: unknown;
  deferred_tool_use?: SDKDeferredToolUse;
  api_error_status?: number | null;
};

/** A turn that did not. */
export type SDKResultError = Outcome & {
  subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  errors: string[];
};

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** Where the key comes from that an agent uses. */
export type ApiKeySource =
  | 'ANTHROPIC_API_KEY'
  | 'apiKeyHelper'
  | '/login managed key'
  | 'none'
  | 'user'
  | 'project'
  | 'org'
  | 'temporary'
  | 'oauth';

/** What the agent is and can do, at the start of each turn. */
export type SDKSystemMessage = Envelope & {
  type: 'system';
  subtype: 'init';
  agents?: string[];
  apiKeySource: ApiKeySource;
  betas?: string[];
  claude_code_version: string;
  cwd: string;
  tools: string[];
  mcp_servers: { name: string; status: string; source?: string }[];
  model: string;
  permissionMode: PermissionMode;
  slash_commands: string[];
  output_style: string;
  skills: string[];
  plugins: { name: string; path: string; version?: string }[];
  capabilities?: string[];
};

/** A piece of a reply that is being written; asked for with `includePartialMessages`. */
export type SDKPartialAssistantMessage = Envelope & {
  type: 'stream_event';
  event: ApiStreamEvent;
  parent_tool_use_id: string | null;
  ttft_ms?: number;
};

type Named<T extends string> = Extract<OutboundAgentMessage, { type: T }> & Envelope;
type System<S extends string> = Extract<OutboundAgentMessage, { type: 'system'; subtype: S }> & Envelope;

/** What an agent is busy with beside the turn itself. */
export type SDKStatus = 'compacting' | 'requesting' | null;
export type SDKStatusMessage = System<'status'>;
export type SDKCompactBoundaryMessage = System<'compact_boundary'>;
export type SDKAPIRetryMessage = System<'api_retry'>;
export type SDKLocalCommandOutputMessage = System<'local_command_output'>;
export type SDKHookStartedMessage = System<'hook_started'>;
export type SDKHookProgressMessage = System<'hook_progress'>;
export type SDKHookResponseMessage = System<'hook_response'>;
export type SDKTaskStartedMessage = System<'task_started'>;
export type SDKTaskProgressMessage = System<'task_progress'>;
export type SDKTaskUpdatedMessage = System<'task_updated'>;
export type SDKTaskNotificationMessage = System<'task_notification'>;
export type SDKThinkingTokensMessage = System<'thinking_tokens'>;
export type SDKSessionStateChangedMessage = System<'session_state_changed'>;
export type SDKCommandsChangedMessage = System<'commands_changed'>;
export type SDKNotificationMessage = System<'notification'>;
export type SDKFilesPersistedEvent = System<'files_persisted'>;
export type SDKPermissionDeniedMessage = System<'permission_denied'>;
export type SDKInformationalMessage = System<'informational'>;
/** A session store failed: these entries are in the agent's own transcript only. */
export type SDKMirrorErrorMessage = Envelope & {
  type: 'system';
  subtype: 'mirror_error';
  error: string;
  key: SessionKey;
};
export type SDKToolProgressMessage = Named<'tool_progress'>;
export type SDKToolUseSummaryMessage = Named<'tool_use_summary'>;
export type SDKAuthStatusMessage = Named<'auth_status'>;
export type SDKRateLimitEvent = Named<'rate_limit_event'>;
/** How much of a limit is used up. */
export type SDKRateLimitInfo = SDKRateLimitEvent['rate_limit_info'];
export type SDKPromptSuggestionMessage = Named<'prompt_suggestion'>;
export type SDKConversationResetMessage = Named<'conversation_reset'>;

/** Anything an agent says. A kind that is not listed here is handed over all the same. */
export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKStatusMessage
  | SDKCompactBoundaryMessage
  | SDKAPIRetryMessage
  | SDKLocalCommandOutputMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKHookResponseMessage
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKThinkingTokensMessage
  | SDKSessionStateChangedMessage
  | SDKCommandsChangedMessage
  | SDKNotificationMessage
  | SDKFilesPersistedEvent
  | SDKPermissionDeniedMessage
  | SDKInformationalMessage
  | SDKMirrorErrorMessage
  | SDKToolProgressMessage
  | SDKToolUseSummaryMessage
  | SDKAuthStatusMessage
  | SDKRateLimitEvent
  | SDKPromptSuggestionMessage
  | SDKConversationResetMessage
  | SDKBackgroundTasksChangedMessage
  | SDKControlRequestProgressMessage
  | SDKElicitationCompleteMessage
  | SDKMemoryRecallMessage
  | SDKModelRefusalFallbackMessage
  | SDKModelRefusalNoFallbackMessage
  | SDKPluginInstallMessage
  | SDKSessionWritesLostMessage
  | SDKWorkerShuttingDownMessage;
