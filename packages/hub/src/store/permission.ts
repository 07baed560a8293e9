import type { JsonObject } from '@signalbox/protocol';
import type { AskParent, PermissionAnswer, PermissionRequest } from '@signalbox/protocol/hub';
import type { Page, PageRequest } from './page.ts';

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
  /** Open requests of all sessions, oldest first. */
  listOpen(request?: PageRequest & { session?: string }): Promise<Page<PermissionRequest>>;
  /** How many are open, of all sessions. */
  countOpen(): Promise<number>;
  /** Answers that the agent may not have got, oldest first. */
  listUndelivered(session: string): Promise<PermissionRequest[]>;
  markDelivered(session: string, requestId: string): Promise<void>;
}
