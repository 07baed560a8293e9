import type { ReactNode } from 'react';

/** A yes: it says so when there is something left to read before it can be given. */
export function AllowButton({
  isRead,
  isLocked,
  unread = 'Read to the end to allow',
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
