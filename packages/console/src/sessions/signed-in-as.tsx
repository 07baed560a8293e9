import { useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { useHubView } from '../shell/hub-context.ts';
import { ManageMenu } from '../shell/manage-menu.tsx';
import { SignOutDialog } from '../shell/sign-out-dialog.tsx';

/** Who this browser is, and the way out. */
export function SignedInAs({
  onGo,
}: {
  /** A page was chosen. */
  onGo?: () => void;
}) {
  const { device } = useHubView();
  const [isLeaving, setLeaving] = useState(false);
  useCommands([{ title: 'Sign out …', group: 'This page', run: () => setLeaving(true) }]);
  return (
    <>
      <footer className="list-foot faint">
        <ManageMenu onGo={onGo} />
        <span className="list-who">{device ? `${device.person} · ${device.name}` : ''}</span>
        <button type="button" className="button quiet" onClick={() => setLeaving(true)}>
          Sign out
        </button>
      </footer>
      {isLeaving && <SignOutDialog onClose={() => setLeaving(false)} />}
    </>
  );
}
