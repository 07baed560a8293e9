import type { PermissionRequest, Session } from '@signalbox/protocol/hub';
import type { AskBudget } from '../asks/ask-budget.ts';

/** Who hears of a session beside those who watch it. */
export interface SessionOutlets {
  onSession: (session: Session) => void;
  onPermission: (permission: PermissionRequest) => void;
  onRecorded: (lines: number, bytes: number) => void;
  onTrouble: (session: string, error: unknown) => void;
  /** What the questions of all sessions take together. */
  readonly askBudget: AskBudget;
}
