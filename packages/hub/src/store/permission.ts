import type { JsonObject } from '@signalbox/protocol';
import type {
  AskParent,
  Page,
  PageRequest,
  PermissionAnswer,
  PermissionRequest,
} from '@signalbox/protocol/hub';

/** Something that was asked, and what came of it: what a rule would have done is told from it. */
export interface PastRequest
  extends Pick<PermissionRequest, 'session' | 'requestId' | 'request' | 'state' | 'openedAt'> {
  answer: Pick<PermissionAnswer, 'author' | 'what'> | null;
}

/** What agents ask, and what people answered. Nothing here ever answers by itself. */
export interface Permissions {
  /** Opened again, a request stays what it is. `parent` is the sub-agent that asks. */
  open(
    session: string,
    requestId: string,
    request: JsonObject,
    parent?: AskParent | null,
  ): Promise<PermissionRequest>;
  get(session: string, requestId: string): Promise<PermissionRequest | undefined>;
  /** The first answer wins; whoever comes later gets it back, with `isFirst` false. */
  answer(
    session: string,
    requestId: string,
    answer: PermissionAnswer,
  ): Promise<{ request: PermissionRequest; isFirst: boolean }>;
  /** Close it without an answer; one that is closed stays as it is. */
  close(session: string, requestId: string, state: 'withdrawn' | 'expired'): Promise<PermissionRequest>;
  /** Open requests of all sessions, oldest first; a page ends early where it would be long. */
  listOpen(request?: PageRequest & { session?: string }): Promise<Page<PermissionRequest>>;
  /** All that was ever asked and can be read, newest first; a page ends early where it would be long. */
  listPast(request?: PageRequest): Promise<Page<PastRequest>>;
  /** How many are open, of all sessions. */
  countOpen(): Promise<number>;
  /** How many bytes those that are open have, by their session. */
  openBytes(): Promise<{ session: string; bytes: number }[]>;
  /** Expire those of sessions whose agent has exited. */
  expireLeft(): Promise<void>;
  /** Expire those that cannot be read, or are longer than one may be; gives which. */
  expireUnread(): Promise<{ session: string; requestId: string }[]>;
  /** Answers that the agent may not have got, oldest first. */
  listUndelivered(session: string): Promise<PermissionRequest[]>;
  markDelivered(session: string, requestId: string): Promise<void>;
}
