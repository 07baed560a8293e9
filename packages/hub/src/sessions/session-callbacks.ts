import type { PermissionRequest, Session } from '@signalbox/protocol/hub';
import type { AskBudget } from './asks/ask-budget.ts';
import type { LiveSession } from './live-session.ts';

/** What a session reports to the hub, beside what its viewers get. */
export interface SessionCallbacks {
  onSession: (session: Session) => void;
  onPermission: (permission: PermissionRequest) => void;
  onRecorded: (lines: number, bytes: number) => void;
  /** The agent of one session goes on in another. */
  onMoved: (from: LiveSession, to: LiveSession) => void;
  onTrouble: (session: string, error: unknown) => void;
  /** What the questions of all sessions take together. */
  readonly askBudget: AskBudget;
}
