// A hub as its users see it: from a page, a terminal or a program.

export type {
  Author,
  CreatedSession,
  Cursor,
  EntryMessage,
  FolderTrust,
  LaunchableAgent,
  LaunchableAgents,
  LaunchSpec,
  NewSession,
  PermissionRequest,
  PersonAnswer,
  PreviewMessage,
  Prompt,
  PromptContent,
  PromptDelivery,
  Session,
  SessionState,
  SnapshotMessage,
  StreamMessage,
} from '@signalbox/protocol/hub';
export { OptionsError } from '../options-error.ts';
export type { SDKMessage } from '../types/messages.ts';
export { agentMessage } from './agent-message.ts';
export {
  type EventWindow,
  type HubAddress,
  HubApi,
  type HubDevice,
  type HubFetch,
  type KnownDevice,
  type Page,
  type PageQuery,
} from './hub-api.ts';
export {
  HubConnectionLostError,
  HubRefusedError,
  HubUnreachableError,
  TooManyWaitingError,
} from './hub-errors.ts';
export { type Following, HubStream, type HubStreamOptions, type HubStreamState } from './hub-stream.ts';
export { MAX_WAITING_OPERATIONS } from './operations.ts';
export type { WatchListener, WatchOptions } from './watch.ts';
