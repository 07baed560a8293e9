import type { JsonObject } from '@signalbox/protocol';
import type { Author } from './author.ts';
import type { Page, PageRequest } from './page.ts';

/** A decision about a permission request. */
export interface PermissionAnswer {
  author: Author;
  /** What the agent is told. */
  response: JsonObject;
  /** What is kept of it in the audit log, for example `allow`. */
  what: string;
  why: string | null;
}

/** `withdrawn`: the agent does not ask any more. `expired`: nobody is left who asks. */
export type PermissionState = 'open' | 'answered' | 'withdrawn' | 'expired';

/** Something that an agent asks a person. */
export interface PermissionRequest {
  session: string;
  /** As the agent named it; one of its kind in a session. */
  requestId: string;
  /** The body of the agent's control request. */
  request: JsonObject;
  state: PermissionState;
  openedAt: number;
  closedAt: number | null;
  answer: PermissionAnswer | null;
  /** Whether the agent has got the answer. */
  isDelivered: boolean;
}

/** What agents ask, and what people answered. Nothing here ever answers by itself. */
export interface Permissions {
  /** Opened again, a request stays what it is. */
  open(session: string, requestId: string, request: JsonObject): Promise<PermissionRequest>;
  get(session: string, requestId: string): Promise<PermissionRequest | undefined>;
  /** The first answer wins; whoever comes later gets it back, with `isFirst` false. */
  answer(
    session: string,
    requestId: string,
    answer: PermissionAnswer,
  ): Promise<{ request: PermissionRequest; isFirst: boolean }>;
  /** Close it without an answer; one that is closed stays as it is. */
  close(session: string, requestId: string, state: 'withdrawn' | 'expired'): Promise<PermissionRequest>;
  /** Open requests of all sessions, oldest first. */
  listOpen(request?: PageRequest & { session?: string }): Promise<Page<PermissionRequest>>;
  /** Answers that the agent may not have got, oldest first. */
  listUndelivered(session: string): Promise<PermissionRequest[]>;
  markDelivered(session: string, requestId: string): Promise<void>;
}
