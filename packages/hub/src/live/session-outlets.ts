import type { PermissionRequest, Session } from '@signalbox/protocol/hub';

/** Who hears of a session beside those who watch it. */
export interface SessionOutlets {
  onSession: (session: Session) => void;
  onPermission: (permission: PermissionRequest) => void;
  onRecorded: (lines: number, bytes: number) => void;
  onTrouble: (session: string, error: unknown) => void;
}
