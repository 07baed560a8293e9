import type { Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import type { Page, PageRequest } from './page.ts';

/** What a session can be called: a part of a path, which `.` and `..` are not, of a file's name and of a header. */
export const SESSION_ID = /^(?!\.{1,2}$)[\w.:-]{1,128}$/;

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/** The sessions, newest first. */
export interface Sessions {
  /** Raises `STORE_SESSION_EXISTS` when the id is taken. */
  create(id: string, facts?: Partial<SessionFacts>): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  list(request?: PageRequest & { states?: readonly SessionState[] }): Promise<Page<Session>>;
  /** `updatedAt` is when it changed: now, unless it is said. */
  update(id: string, facts: Partial<SessionFacts>, updatedAt?: number): Promise<Session>;
  /** Forget a session with its record, prompts and permission requests; the audit log stays. */
  remove(id: string): Promise<void>;
}
