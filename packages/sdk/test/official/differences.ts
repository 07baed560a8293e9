/** Entry points of the official package that this one does not have, and why. docs/SDK.md says the same. */
export const LEFT_OUT_ENTRIES: Record<string, string> = {
  './bridge': 'connects an agent to the maker’s own servers; a hub of ours does it with `signalbox bridge`',
  './extract': 'takes the maker’s executable out of a program that was compiled with it; ours is a script',
};

/** Names that entry points of ours lack, by entry point, and why. */
export const LEFT_OUT_NAMES: Record<string, { reason: string; names: string[] }> = {
  './browser': {
    reason:
      'a page talks to a hub or a relay of yours by `DirectConnect`, not to the maker’s servers by a query',
    names: [
      'AuthMessage',
      'BrowserQueryOptions',
      'CanUseTool',
      'ElicitationRequest',
      'ElicitationResult',
      'G4_TEXT_ENVELOPE_ARM_PORTED',
      'HookCallbackMatcher',
      'HookEvent',
      'McpSdkServerConfigWithInstance',
      'McpServerConfig',
      'OAuthCredential',
      'OnElicitation',
      'OnUserDialog',
      'Query',
      'SDKAssistantMessage',
      'SDKResultMessage',
      'SDKSystemMessage',
      'SDKUserMessage',
      'SSEOptions',
      'UserDialogRequest',
      'UserDialogResult',
      'WebSocketOptions',
      'createSdkMcpServer',
      'getCcrEvent',
      'getSseDropCounts',
      'getSseLastSequenceNum',
      'query',
      'resumeSseStream',
      'suspendSseStream',
      'tool',
    ],
  },
};

/** Types of `.` and `./sdk-tools` that are not the same as those of the newest official package, and why. */
export const OTHER_TYPES: { reason: string; names: string[] }[] = [
  {
    reason:
      'messages and answers without some of the fields that agents may send: what is sent is handed over all the same',
    names: [
      'AccountInfo',
      'NonNullableUsage',
      'SDKAPIRetryMessage',
      'SDKAuthStatusMessage',
      'SDKCommandsChangedMessage',
      'SDKCompactBoundaryMessage',
      'SDKControlGetContextUsageResponse',
      'SDKControlInitializeResponse',
      'SDKControlReadFileResponse',
      'SDKConversationResetMessage',
      'SDKHookResponseMessage',
      'SDKInformationalMessage',
      'SDKNotificationMessage',
      'SDKPermissionDeniedMessage',
      'SDKRateLimitEvent',
      'SDKRateLimitInfo',
      'SDKResultError',
      'SDKResultMessage',
      'SDKResultSuccess',
      'SDKStatusMessage',
      'SDKTaskNotificationMessage',
      'SDKTaskProgressMessage',
      'SDKTaskStartedMessage',
      'SDKTaskUpdatedMessage',
      'SDKThinkingTokensMessage',
      'SDKToolProgressMessage',
    ],
  },
  {
    reason:
      'contents of messages are described here, and there by the model’s own library, which this package does without',
    names: [
      'SDKAssistantMessage',
      'SDKPartialAssistantMessage',
      'SDKUserMessage',
      'SDKUserMessageReplay',
      'SDKMessage',
    ],
  },
  {
    reason: 'they hold, take or give one of the types above',
    names: [
      'Query',
      'Transport',
      'WarmQuery',
      'SpareProcess',
      'prewarm',
      'query',
      'startup',
      'Options',
      'HookCallback',
      'HookCallbackMatcher',
    ],
  },
  {
    reason:
      'the control protocol is that of packages/protocol, which knows the requests that are answered here',
    names: ['SDKControlRequest', 'SDKControlResponse'],
  },
  {
    reason: 'settings have any names here, and there those of one version',
    names: [
      'filterEscalatingDefaultMode',
      'resolveSettings',
      'ResolvedSettings',
      'SandboxCredentialsConfig',
      'SandboxFilesystemConfig',
      'SandboxNetworkConfig',
      'SandboxSettings',
    ],
  },
  {
    reason: 'a hook may be told more than is described, or less',
    names: ['HookInput', 'SessionStartHookInput'],
  },
  {
    reason: 'a field that is not known may be there as undefined',
    names: ['SDKSessionInfo', 'getSessionInfo', 'listSessions'],
  },
  {
    reason: 'classes with members of their own',
    names: ['AbortError', 'InMemorySessionStore'],
  },
  {
    reason: 'what a schema lets through is inferred in another way, with the same result',
    names: ['InferShape', 'SdkMcpToolDefinition'],
  },
  {
    reason: 'services of the maker whose answers no agent of ours gives: described in their main lines',
    names: ['ArtifactOutput', 'ProjectsOutput', 'SendFeedbackInput'],
  },
];
