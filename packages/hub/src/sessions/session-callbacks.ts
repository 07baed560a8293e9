import type { PermissionRequest, Session } from '@signalbox/protocol/hub';
import type { NoticeOutbox } from '../notices/notice-outbox.ts';
import type { Policy } from '../policy/policy.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { AskBudget } from './asks/ask-budget.ts';
import type { LiveSession } from './live-session.ts';
import type { Turn } from './turn.ts';

/** What a session needs of those who tell people. */
export type SessionNotices = Pick<NoticeOutbox, 'wants' | 'noting' | 'release' | 'attended'>;

/** What a session reports to the hub, beside what its viewers get. */
export interface SessionCallbacks {
  onSession: (session: Session) => void;
  onPermission: (permission: PermissionRequest) => void;
  /** A turn has begun or is over; `entry` is the last of the record then. */
  onTurn: (live: LiveSession, turn: Turn, entry: number) => void;
  onRecorded: (lines: number, bytes: number, delayMs: number) => void;
  /** The agent of one session goes on in another. */
  onMoved: (from: LiveSession, to: LiveSession) => void;
  onTrouble: (session: string, error: unknown) => void;
  /** What the questions of all sessions take together. */
  readonly askBudget: AskBudget;
  /** The rules that decide before people are asked. */
  readonly policy: Policy;
  /** What is spent, and the budgets. */
  readonly ledger: Ledger;
  /** What people are told who do not look. */
  readonly notices: SessionNotices | undefined;
}
