import {
  type Page,
  type PageRequest,
  SESSION_ID,
  type Session,
  type SessionFacts,
  type SessionState,
} from '@signalbox/protocol/hub';

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/** What is known of a session of which nothing was said. */
export const NO_FACTS: SessionFacts = {
  state: 'starting',
  title: null,
  folder: null,
  agent: null,
  model: null,
  mode: null,
  exit: null,
  problem: null,
  lastPrompt: null,
  agentSession: null,
  isLaunched: false,
  view: 'sdk',
  git: null,
  archivedAt: null,
  budget: null,
  restart: null,
  loop: null,
};

/** The sessions, newest first. */
export interface Sessions {
  /** Raises `STORE_SESSION_EXISTS` when the id is taken. */
  create(id: string, facts?: Partial<SessionFacts>): Promise<Session>;
  /**
   * Take an id for a session that is brought in piece by piece: nobody sees it before {@link endImport}, and one that a
   * process was killed over is gone when the store is opened again. Its first entry comes after those that were trimmed. Raises `STORE_SESSION_EXISTS`.
   */
  beginImport(id: string, trimmed?: number): Promise<void>;
  /** The session is whole, and there for everybody. */
  endImport(id: string, facts: Partial<SessionFacts>): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  list(request?: PageRequest & { states?: readonly SessionState[] }): Promise<Page<Session>>;
  /** `updatedAt` is when it changed: now, unless it is said. */
  update(id: string, facts: Partial<SessionFacts>, updatedAt?: number): Promise<Session>;
  /** Forget a session with its record, prompts and permission requests; the audit log stays. */
  remove(id: string): Promise<void>;
}
