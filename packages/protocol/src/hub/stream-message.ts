import type { Author } from './author.ts';
import type { PermissionRequest } from './permission.ts';
import type { Prompt } from './prompt.ts';
import type { Session, SessionExit, SessionState } from './session.ts';

/** A viewer's place in the record: all up to `seq` is known to it, as of `epoch`. */
export interface Cursor {
  epoch: string;
  seq: number;
}

/** The same, for one who knows messages and not their numbers: all up to the message with this uuid is known. */
export interface MessageCursor {
  uuid: string;
}

/**
 * Why a cursor cannot be honoured. `epoch-unknown`: it comes from another store, or from a time that was lost;
 * `ahead`: it has seen entries that are not here; `rewritten`: its entry was replaced by another one;
 * `uuid-unknown`: no message in the record has this uuid.
 */
export type ResetReason = 'epoch-unknown' | 'ahead' | 'rewritten' | 'uuid-unknown';

/** Somebody who watches a session. */
export interface SessionViewer {
  person: string;
  device: string;
  deviceId: string;
}

/** An entry of the record: `message` as it was written, `raw` when that was no JSON. */
export interface EntryMessage extends Cursor {
  type: 'sdk-message';
  session: string;
  time?: number;
  /** Who said it; not there when it was the agent. */
  author?: Author;
  message?: unknown;
  raw?: string;
  /** It is not what was written any more. */
  damaged?: true;
}

/** A part of a reply that is being written; the whole message follows in the record. */
export interface PreviewMessage {
  type: 'preview';
  session: string;
  message?: unknown;
  raw?: string;
}

/** The start of a subscription; the record from `first` on follows, up to `last` at the time. */
export interface SnapshotMessage {
  type: 'snapshot';
  session: Session;
  epoch: string;
  first: number;
  last: number;
  activity: SessionState;
  permissions: PermissionRequest[];
  prompts: Prompt[];
  /** Who watches at the moment. */
  viewers: SessionViewer[];
}

/** What a viewer is told beside the lines themselves. */
export type HubNote =
  | SnapshotMessage
  /** The cursor cannot be honoured: forget what you have; a snapshot follows. */
  | { type: 'reset'; session: string; reason: ResetReason; epoch: string; last: number }
  | { type: 'activity'; session: string; state: SessionState }
  /** Others watch than before: these. */
  | { type: 'presence'; session: string; viewers: SessionViewer[] }
  | { type: 'session'; session: Session }
  /** The session is no more. */
  | { type: 'removed'; session: string }
  | { type: 'permission'; session: string; permission: PermissionRequest }
  | { type: 'prompt'; session: string; prompt: Prompt }
  | ({ type: 'exit'; session: string } & SessionExit)
  | { type: 'ack'; id: string; result?: unknown }
  | { type: 'error'; id?: string; code: string; message: string };

/** All that a hub says on its stream. */
export type StreamMessage = HubNote | EntryMessage | PreviewMessage;
