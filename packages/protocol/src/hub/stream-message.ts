import type { Author } from './schema/author.ts';
import type { Loop } from './schema/loop.ts';
import type { PermissionRequest } from './schema/permission.ts';
import type { Prompt } from './schema/prompt.ts';
import type { Session, SessionExit, SessionViewer } from './schema/session.ts';
import type { SessionState } from './session-state.ts';

/**
 * A viewer's place in the record: all up to entry `seq` is known to it. `check` comes from the checksum of that entry, so
 * that a hub knows the cursor again after a restart, on another node and on a restored copy, and knows when it cannot.
 */
export interface Cursor {
  seq: number;
  check: number;
}

/** Before the first entry of a record. */
export const RECORD_START: Cursor = { seq: 0, check: 0 };

/** The same, for one who knows messages and not their numbers: all up to the message with this uuid is known. */
export interface MessageCursor {
  uuid: string;
}

/**
 * Why a cursor cannot be honoured. `ahead`: it has seen entries that are not here; `rewritten`: its entry is another one
 * here; `trimmed`: its entry was taken away by retention; `uuid-unknown`: no message in the record has this uuid; `cursor-unknown`: it is of the form of an earlier version.
 */
export type ResetReason = 'ahead' | 'rewritten' | 'trimmed' | 'uuid-unknown' | 'cursor-unknown';

/** An entry of the record: `message` as it was written, `raw` when that was no JSON. */
export interface EntryMessage extends Cursor {
  type: 'sdk-message';
  session: string;
  time?: number;
  /** Who said it; not there when it was the agent. */
  author?: Author;
  message?: unknown;
  raw?: string;
  /** It is not what was written any more; its `check` is 0. */
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
  first: number;
  last: number;
  /** The number of the last entry that was taken away by retention; not there when none was. */
  trimmed?: number;
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
  | { type: 'reset'; session: string; reason: ResetReason; last: number }
  | { type: 'activity'; session: string; state: SessionState }
  /** Devices that watch from now on, and those that do so no longer; the snapshot had them all. */
  | { type: 'presence'; session: string; joined: SessionViewer[]; left: SessionViewer[] }
  | { type: 'session'; session: Session }
  /** The session is no more. */
  | { type: 'removed'; session: string }
  | { type: 'permission'; session: string; permission: PermissionRequest }
  | { type: 'prompt'; session: string; prompt: Prompt }
  /** A loop is new or has changed; told to those who watch all sessions. */
  | { type: 'loop'; loop: Loop }
  | { type: 'loop-removed'; loop: string }
  /** Files of the session's folder have changed; told to those who watch its changes. */
  | { type: 'changes'; session: string }
  | ({ type: 'exit'; session: string } & SessionExit)
  | { type: 'ack'; id: string; result?: unknown }
  | { type: 'error'; id?: string; code: string; message: string };

/** All that a hub says on its stream. */
export type StreamMessage = HubNote | EntryMessage | PreviewMessage;
