import type { Page, PageRequest } from './page.ts';

/** What a session is doing. */
export const SESSION_STATES = ['starting', 'active', 'idle', 'asking', 'disconnected', 'exited'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** How an agent ended. */
export interface SessionExit {
  code: number | null;
  signal: string | null;
  /** The last that it wrote to stderr. */
  stderr: string;
}

/** What is known about a session and may change; null is what nobody said yet. */
export interface SessionFacts {
  state: SessionState;
  title: string | null;
  folder: string | null;
  /** Which agent it runs, for example `claude` or `signalbox-agent`. */
  agent: string | null;
  model: string | null;
  mode: string | null;
  exit: SessionExit | null;
}

/** A session of the store. */
export interface Session extends SessionFacts {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** The sessions, newest first. */
export interface Sessions {
  /** Raises `STORE_SESSION_EXISTS` when the id is taken. */
  create(id: string, facts?: Partial<SessionFacts>): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  list(request?: PageRequest & { states?: readonly SessionState[] }): Promise<Page<Session>>;
  update(id: string, facts: Partial<SessionFacts>): Promise<Session>;
  /** Forget a session with its record, prompts and permission requests; the audit log stays. */
  remove(id: string): Promise<void>;
}
