// conversations

export { Client, type Prompt } from './client/client.ts';
export { type ConnectOptions, connect } from './connect/connect.ts';
export { type Listener, type ListenOptions, listen } from './listen/listen.ts';
export {
  type LoopNews,
  type LoopOptions,
  type LoopRelayOptions,
  type LoopResult,
  type LoopRulesChange,
  type LoopRun,
  loop,
} from './loop/loop.ts';
export { EXECUTABLE_VARIABLE } from './process/find-executable.ts';
export { CONTROL_TIMEOUT_MS } from './query/conversation.ts';
export { query } from './query/query.ts';
export { UNREAD_HIGH_WATER_BYTES } from './query/unread-messages.ts';
export {
  type SDKSession,
  type SDKSessionOptions,
  unstable_v2_createSession,
  unstable_v2_prompt,
  unstable_v2_resumeSession,
} from './v2/session.ts';
export { SDK_VERSION } from './version.ts';
export { prewarm } from './warm/prewarm.ts';
export type { StartupParams } from './warm/started-agent.ts';
export { startup } from './warm/startup.ts';
export { ClaimError, WarmAgentError } from './warm/warm-errors.ts';

// what agents call things

export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '@signalbox/protocol';
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from './agent-names.ts';
export {
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from './usage-words.ts';

// settings

export { matchDeniedModels } from './settings/match-denied-models.ts';
export { filterEscalatingDefaultMode, resolveSettings } from './settings/resolve-settings.ts';

// MCP servers in this process

export { type CreateSdkMcpServerOptions, createSdkMcpServer } from './mcp/create-sdk-mcp-server.ts';
export { tool } from './mcp/tool.ts';

// sessions

export { archiveSession, unarchiveSession } from './sessions/archive-session.ts';
export {
  deleteSession,
  type ImportSessionToStoreOptions,
  importSessionToStore,
  renameSession,
  type SessionMutationOptions,
  tagSession,
} from './sessions/edit-session.ts';
export { type ExportSessionOptions, exportSession } from './sessions/export-session.ts';
export { FileSessionStore } from './sessions/file-session-store.ts';
export type { SessionLocation } from './sessions/find-session.ts';
export { foldSessionSummary } from './sessions/fold-session-summary.ts';
export { type ForkSessionOptions, type ForkSessionResult, forkSession } from './sessions/fork-session.ts';
export { InMemorySessionStore } from './sessions/in-memory-session-store.ts';
export {
  type GetSessionInfoOptions,
  getSessionInfo,
  type ListSessionsOptions,
  listSessions,
} from './sessions/list-sessions.ts';
export {
  SessionKeyError,
  SessionMessageNotFoundError,
  SessionNotFoundError,
  SessionStoreError,
  SessionStoreTimeoutError,
} from './sessions/session-errors.ts';
export type { SDKSessionInfo } from './sessions/session-info.ts';
export {
  type GetSessionMessagesOptions,
  type GetSubagentMessagesOptions,
  getSessionMessages,
  getSubagentMessages,
  type ListSubagentsOptions,
  listSubagents,
  type SessionMessage,
} from './sessions/session-messages.ts';
export type { SessionStoreFlush } from './sessions/session-mirror.ts';
export type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
  StoredSession,
} from './sessions/session-store.ts';

// helpers

export { collectText } from './helpers/collect-text.ts';
export { PermissionPolicy, type PolicyOptions, permissionPolicy } from './helpers/permission-policy.ts';
export { type FormatOptions, formatMessage, prettyPrint } from './helpers/pretty-print.ts';
export { ProgressLine, type ProgressStream, withProgress } from './helpers/progress-line.ts';
export { isToolUse, type TaskInput, type ToolInputs, type ToolUse } from './helpers/tool-inputs.ts';

// errors

export {
  ControlClosedError,
  ControlRefusedError,
  ControlTimeoutError,
  SignalboxError,
} from '@signalbox/protocol';
export { OptionsError } from './options-error.ts';
export {
  AbortError,
  AuthenticationError,
  CLIConnectionError,
  CLINotFoundError,
  JSONDecodeError,
  ListenError,
  ProcessError,
  type ProcessFailure,
  ResultError,
} from './sdk-errors.ts';

// types

export type { PermissionBehavior } from '@signalbox/protocol';
export type {
  FolderChanges,
  LoopEnd,
  LoopIteration,
  LoopProgress,
  LoopReason,
  LoopRules,
} from '@signalbox/protocol/loop';
export type {
  ApiMessage,
  ApiStreamEvent,
  ApiUsage,
  ContentBlock,
  ContentBlockParam,
  ContentDelta,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  NonNullableUsage,
  RedactedThinkingBlock,
  ServerToolUseBlock,
  TextBlock,
  TextBlockParam,
  ThinkingBlock,
  ToolResultBlockParam,
  ToolUseBlock,
  WebSearchToolResultBlock,
} from './types/api-message.ts';
export type {
  SDKControlGetUsageResponse,
  SDKControlListPermissionRulesResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlPermissionRulesState,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
  SDKControlRequest,
  SDKControlResponse,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
  SDKSettingsParseError,
  SDKStartupFailureReason,
  Transport,
} from './types/control.ts';
export type { Envelope, UUID } from './types/envelope.ts';
export { EXIT_REASONS, type ExitReason, HOOK_EVENTS, type HookEvent } from './types/hook-events.ts';
export type {
  BackgroundTaskSummary,
  BaseHookInput,
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
  FileChangedHookInput,
  HookInput,
  InstructionsLoadedHookInput,
  MessageDisplayHookInput,
  NotificationHookInput,
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  PreToolUseHookInput,
  SessionCronSummary,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from './types/hook-inputs.ts';
export type {
  CwdChangedHookSpecificOutput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookSpecificOutput,
  FileChangedHookSpecificOutput,
  HookPermissionDecision,
  HookSpecificOutput,
  MessageDisplayHookSpecificOutput,
  NotificationHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  PostModelSwitchHookSpecificOutput,
  PostToolBatchHookSpecificOutput,
  PostToolUseFailureHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookSpecificOutput,
  SessionStartHookSpecificOutput,
  SetupHookSpecificOutput,
  StopHookSpecificOutput,
  SubagentStartHookSpecificOutput,
  SubagentStopHookSpecificOutput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
} from './types/hook-outputs.ts';
export type {
  AsyncHookJSONOutput,
  HookCallback,
  HookCallbackMatcher,
  HookJSONOutput,
  SyncHookJSONOutput,
} from './types/hooks.ts';
export type {
  AnyZodRawShape,
  ElicitationRequest,
  ElicitationResult,
  InferShape,
  McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerProvenance,
  McpServerStatus,
  McpServerStatusConfig,
  McpServerToolPolicy,
  McpSetServersResult,
  McpSSEServerConfig,
  McpStdioServerConfig,
  OnElicitation,
  OnUserDialog,
  SdkMcpToolDefinition,
  UserDialogRequest,
  UserDialogResult,
} from './types/mcp.ts';
export type {
  ApiKeySource,
  FastModeDisabledReason,
  FastModeState,
  SDKAPIRetryMessage,
  SDKAssistantMessage,
  SDKAssistantMessageError,
  SDKAuthStatusMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKConversationResetMessage,
  SDKDeferredToolUse,
  SDKFilesPersistedEvent,
  SDKHookProgressMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKMcpResourceLink,
  SDKMessage,
  SDKMessageOrigin,
  SDKMirrorErrorMessage,
  SDKNotificationMessage,
  SDKPartialAssistantMessage,
  SDKPermissionDenial,
  SDKPermissionDeniedMessage,
  SDKPromptSuggestionMessage,
  SDKRateLimitEvent,
  SDKRateLimitInfo,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKSessionStateChangedMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
  SDKThinkingTokensMessage,
  SDKToolProgressMessage,
  SDKToolUseSummaryMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
  TerminalReason,
} from './types/messages.ts';
export type { ModelUsage } from './types/model-usage.ts';
export type {
  ExtraUsage,
  SDKActiveGoalMessage,
  SDKBackgroundTasksChangedMessage,
  SDKContextUsage,
  SDKContextUsageCategory,
  SDKControlRequestProgressMessage,
  SDKElicitationCompleteMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKPluginInstallMessage,
  SDKSessionWritesLostMessage,
  SDKUsageReport,
  SDKWorkerShuttingDownMessage,
  SessionTotals,
} from './types/news.ts';
export type {
  AgentDefinition,
  AgentMcpServerSpec,
  BaseOutputFormat,
  ConfigScope,
  EffortLevel,
  JsonSchemaOutputFormat,
  Options,
  OutputFormat,
  OutputFormatType,
  SdkBeta,
  SdkPluginConfig,
  SettingSource,
  Settings,
  ThinkingAdaptive,
  ThinkingConfig,
  ThinkingDisabled,
  ThinkingEnabled,
  ToolConfig,
} from './types/options.ts';
export type {
  CanUseTool,
  PermissionDecisionClassification,
  PermissionMode,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from './types/permissions.ts';
export type {
  SpawnedProcess,
  SpawnOptions,
} from './types/process.ts';
export type {
  AccountInfo,
  AgentInfo,
  ModelInfo,
  Query,
  ReloadPluginsOptions,
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlReadFileResponse,
  SlashCommand,
} from './types/query.ts';
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from './types/sandbox.ts';
export type {
  DeniedModelsMatch,
  PolicySettingsOrigin,
  ProvenanceEntry,
  ResolvedSettingSource,
  ResolvedSettings,
  ResolveSettingsOptions,
  SourceOfSettings,
} from './types/settings.ts';
export type { Claim, ClaimOptions, SpareProcess, WarmQuery } from './types/warm.ts';
