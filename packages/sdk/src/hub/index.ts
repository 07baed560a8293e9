// A hub as its users see it: from a page, a terminal or a program.

export type {
  AgentDefinition,
  AgentDefinitionChange,
  AuditEntry,
  Author,
  Backtest,
  Budget,
  BudgetChange,
  ChangeBase,
  ChangeComment,
  ChangedFile,
  CreatedSession,
  Cursor,
  DiffHunk,
  EntryMessage,
  FileDiff,
  FolderChangeList,
  FolderTrust,
  HubRule,
  JsonRoute,
  KnownDevice,
  LaunchableAgent,
  LaunchableAgents,
  LaunchSpec,
  LeftWorktree,
  Loop,
  LoopChange,
  LoopLaunch,
  LoopSpec,
  NearbyRelay,
  NewBudget,
  NewLoop,
  NewNoticeTarget,
  NewPushSubscription,
  NewRule,
  NewSession,
  NewWorktree,
  Notice,
  NoticeTarget,
  Page,
  PastCall,
  PermissionRequest,
  PersonAnswer,
  PreviewMessage,
  Profile,
  ProfileChange,
  Prompt,
  PromptContent,
  PromptDelivery,
  Repository,
  RepositoryTask,
  RetentionLimits,
  RouteAnswer,
  RouteRequest,
  RuleSuggestion,
  Session,
  SessionBudget,
  SessionGit,
  SessionState,
  SetupOutput,
  SetupState,
  SnapshotMessage,
  SpendGroup,
  SpendReport,
  Storage,
  StoredConversation,
  StreamedRoute,
  StreamMessage,
  SweepReport,
  Terminal,
  TerminalExit,
  TerminalPosition,
  TerminalSize,
  TerminalState,
  TurnChanges,
  Worktree,
  WorktreeSetup,
} from '@signalbox/protocol/hub';
export { RECORD_START } from '@signalbox/protocol/hub';
export type { FolderChanges, LoopAct, LoopIteration } from '@signalbox/protocol/loop';
export { OptionsError } from '../options-error.ts';
export type { SDKMessage } from '../types/messages.ts';
export { agentMessage } from './agent-message.ts';
export type { EventWindow } from './event-window.ts';
export { everyPage } from './every-page.ts';
export { type ComparedWith, HubApi, type HubDevice, type PageQuery } from './hub-api.ts';
export {
  HubConnectionLostError,
  HubRefusedError,
  HubUnreachableError,
  TooManyWaitingError,
} from './hub-errors.ts';
export { type HubAddress, type HubFetch, HubRequests } from './hub-requests.ts';
export { type Following, HubStream, type HubStreamOptions, type HubStreamState } from './hub-stream.ts';
export {
  HubTerminal,
  type HubTerminalOptions,
  type HubTerminalState,
  type TerminalScreen,
} from './hub-terminal.ts';
export { MAX_WAITING_OPERATIONS } from './operations.ts';
export type { WatchListener, WatchOptions } from './watch.ts';
