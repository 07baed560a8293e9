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

/** Why an agent's last turn did no work: for want of a key for its model, or for another reason. */
export interface SessionProblem {
  code: 'no_credentials' | 'turn_failed';
  /** In the agent's own words. */
  message: string;
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
  problem: SessionProblem | null;
}

/** A session of a hub. */
export interface Session extends SessionFacts {
  id: string;
  createdAt: number;
  updatedAt: number;
  /** What is stored of it is damaged: only its id, its state and its times are known. */
  unread?: true;
}
