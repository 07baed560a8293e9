import { useState } from 'react';
import { useHubView } from '../shell/hub-context.ts';
import { go, RULES } from '../shell/route.ts';
import { SignOutDialog } from '../shell/sign-out-dialog.tsx';

/** Who this browser is, and the way out. */
export function SignedInAs({ onLeaving }: { onLeaving?: (isLeaving: boolean) => void }) {
  const { device } = useHubView();
  const [isLeaving, setLeaving] = useState(false);
  const leave = (now: boolean): void => {
    setLeaving(now);
    onLeaving?.(now);
  };
  return (
    <>
      <footer className="list-foot faint">
        <span>{device ? `${device.person} · ${device.name}` : ''}</span>
        {device?.session === null && (
          <button type="button" className="button quiet" onClick={() => go(RULES)}>
            Rules
          </button>
        )}
        <button type="button" className="button quiet" onClick={() => leave(true)}>
          Sign out
        </button>
      </footer>
      {isLeaving && <SignOutDialog onClose={() => leave(false)} />}
    </>
  );
}
