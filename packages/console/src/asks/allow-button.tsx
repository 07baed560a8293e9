import type { ReactNode } from 'react';
import { t } from '../words/t.ts';

/** A yes: it says so when there is something left to read before it can be given. */
export function AllowButton({
  isRead,
  isLocked,
  unread = t.asks.readToAllow,
  onAllow,
  children,
}: {
  isRead: boolean;
  isLocked: boolean;
  unread?: string;
  onAllow: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className="button primary"
      data-answer="yes"
      disabled={isLocked || !isRead}
      onClick={onAllow}
    >
      {isRead ? children : unread}
    </button>
  );
}
