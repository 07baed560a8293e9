// What a hub and those who watch it say to each other.

export type { Author } from './author.ts';
export { BROWSER_BEARER, bearerFromProtocols, LINE_PROTOCOL, protocolsFor } from './bearer-protocol.ts';
export { ALL_SESSIONS, type ClientMessage } from './client-message.ts';
export { answeredRequest, answerOfHost } from './host-answer.ts';
export {
  type CreatedSession,
  type LaunchableAgent,
  type LaunchableAgents,
  type LaunchSpec,
  type NewSession,
  SCRIPTED_AGENT,
} from './launch.ts';
export type {
  AskParent,
  PermissionAnswer,
  PermissionRequest,
  PermissionState,
  PersonAnswer,
} from './permission.ts';
export type { Prompt, PromptContent, PromptDelivery, PromptState } from './prompt.ts';
export {
  SESSION_STATES,
  type Session,
  type SessionExit,
  type SessionFacts,
  type SessionProblem,
  type SessionState,
} from './session.ts';
export type {
  Cursor,
  EntryMessage,
  HubNote,
  MessageCursor,
  PreviewMessage,
  ResetReason,
  SessionViewer,
  SnapshotMessage,
  StreamMessage,
} from './stream-message.ts';
export type { FolderTrust } from './trust.ts';
