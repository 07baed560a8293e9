import { useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { useHubView } from '../shell/hub-context.ts';
import { ManageMenu } from '../shell/manage-menu.tsx';
import { SignOutDialog } from '../shell/sign-out-dialog.tsx';
import { t } from '../words/t.ts';

/** Who this browser is, and the way out. */
export function SignedInAs({
  onGo,
}: {
  /** A page was chosen. */
  onGo?: () => void;
}) {
  const { device } = useHubView();
  const [isLeaving, setLeaving] = useState(false);
  useCommands([{ title: t.sessions.signOutAsk, group: 'page', run: () => setLeaving(true) }]);
  return (
    <>
      <footer className="list-foot faint">
        <ManageMenu onGo={onGo} />
        <span className="list-who">{device ? `${device.person} · ${device.name}` : ''}</span>
        <button type="button" className="button quiet" onClick={() => setLeaving(true)}>
          {t.sessions.signOut}
        </button>
      </footer>
      {isLeaving && <SignOutDialog onClose={() => setLeaving(false)} />}
    </>
  );
}
