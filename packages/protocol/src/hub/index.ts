// What a hub and those who watch it say to each other.

export { AGENT_NAME, OWN_AGENTS } from './agent-name.ts';
export { ALL_SESSIONS } from './all-sessions.ts';
export { BROWSER_BEARER, bearerFromProtocols, LINE_PROTOCOL, protocolsFor } from './bearer-protocol.ts';
export { answeredRequest, answerOfHost } from './host-answer.ts';
export {
  answerMessage,
  askMessage,
  cancelMessage,
  HostAsks,
  hostShare,
  refusalMessage,
  replayOf,
} from './host-lines.ts';
export {
  DELIVERY_STATES,
  type DeliveryState,
  NOTICE_KINDS,
  type NoticeBody,
  type NoticeEnd,
  type NoticeKind,
} from './notice-kinds.ts';
export { type Page, type PageRequest, pagesOf } from './page.ts';
export { MAX_PAGE_ITEMS, MAX_SEARCH_HITS, MAX_WINDOW_ENTRIES } from './page-limits.ts';
export type { ProblemCode } from './routes/problem.ts';
export type { Params } from './routes/route.ts';
export type {
  CheckedBody,
  CheckedQuery,
  JsonRoute,
  RouteAnswer,
  RouteKey,
  RouteRequest,
  StreamedRoute,
} from './routes/routes.ts';
export type { AgentDefinition, AgentDefinitionChange, AgentInConfig } from './schema/agent-definition.ts';
export type { Author } from './schema/author.ts';
export type { Budget, BudgetChange, NewBudget } from './schema/budget.ts';
export type {
  ChangeBase,
  ChangeComment,
  ChangedFile,
  DiffHunk,
  FileDiff,
  FolderChangeList,
  RepositoryTask,
  TurnChanges,
} from './schema/changes.ts';
export type { ClientMessage } from './schema/client-message.ts';
export type { StoredConversation } from './schema/conversation.ts';
export type { AuditEntry, KnownDevice } from './schema/device.ts';
export type { FolderListing, FoundFiles } from './schema/folder.ts';
export type {
  CreatedSession,
  LaunchableAgent,
  LaunchableAgents,
  LaunchSpec,
  NewSession,
} from './schema/launch.ts';
export type {
  Loop,
  LoopChange,
  LoopLaunch,
  LoopSpec,
  NewLoop,
} from './schema/loop.ts';
export type { NearbyRelay } from './schema/nearby.ts';
export type { HubNodes } from './schema/nodes.ts';
export type {
  NewNoticeTarget,
  NewPushSubscription,
  Notice,
  NoticeQuestion,
  NoticeTarget,
} from './schema/notice.ts';
export type {
  AskParent,
  PermissionAnswer,
  PermissionRequest,
  PermissionState,
  PersonAnswer,
} from './schema/permission.ts';
export type { Profile, ProfileChange } from './schema/profile.ts';
export type { Prompt, PromptContent, PromptDelivery, PromptState } from './schema/prompt.ts';
export type { Backtest, HubRule, NewRule, PastCall, RuleSuggestion } from './schema/rule.ts';
export type { SavedPrompt } from './schema/saved-prompt.ts';
export type {
  Excerpt,
  OutlinePart,
  RecordOutline,
  SearchHit,
  SearchPage,
  SearchQuery,
} from './schema/search.ts';
export type {
  Session,
  SessionBudget,
  SessionExit,
  SessionFacts,
  SessionGit,
  SessionProblem,
  SessionRestart,
  SessionView,
  SessionViewer,
} from './schema/session.ts';
export type { SessionLoop } from './schema/session-loop.ts';
export type { SpendGroup, SpendReport } from './schema/spend.ts';
export type { RetentionChange, RetentionLimits, Storage, SweepReport } from './schema/storage.ts';
export type { NewView, Terminal, TerminalExit, TerminalState } from './schema/terminal.ts';
export type { FolderTrust } from './schema/trust.ts';
export type { SessionUpdate, UpdatePage } from './schema/update.ts';
export type {
  LeftWorktree,
  NewWorktree,
  Repository,
  SetupOutput,
  SetupState,
  Worktree,
  WorktreeSetup,
} from './schema/worktree.ts';
export { SCOPES, type Scope } from './scope.ts';
export { SCRIPTED_AGENT } from './scripted-agent.ts';
export { SESSION_ID } from './session-id.ts';
export { SESSION_STATES, type SessionState } from './session-state.ts';
export { MOST_TOKENS, MOST_USD, SPEND_GROUPS } from './spend-groups.ts';
export {
  type Cursor,
  type EntryMessage,
  type HubNote,
  type MessageCursor,
  type PreviewMessage,
  RECORD_START,
  type ResetReason,
  type SnapshotMessage,
  type StreamMessage,
} from './stream-message.ts';
export {
  TERMINAL_SIZE,
  type TerminalClientMessage,
  type TerminalMessage,
  type TerminalPosition,
  type TerminalSize,
  terminalSize,
} from './terminal.ts';
