import { memo, useEffect, useState } from 'react';
import type { Session, SessionState } from 'signalbox/hub';
import { ago, titleOf } from '../model/session-order.ts';
import { forgetDrafts } from './drafts.ts';
import { onEscape } from './escape.ts';
import { useHub, useHubView } from './hub-context.ts';
import { CloseIcon, Logo, PlusIcon } from './icons.tsx';
import { go, pathOf } from './route.ts';
import { useMayDrive } from './scope.ts';

/** What a state is called for a reader. */
export const STATE_WORDS: Record<SessionState, string> = {
  starting: 'starting',
  active: 'working',
  asking: 'asks you',
  idle: 'ready',
  disconnected: 'not connected',
  exited: 'ended',
};

const CLOCK_MS = 30_000;

export function SessionList({
  current,
  isOpen,
  onNew,
  onClose,
}: {
  current: string | undefined;
  isOpen: boolean;
  onNew: () => void;
  onClose: () => void;
}) {
  const hub = useHub();
  const { sessions, device } = useHubView();
  const mayDrive = useMayDrive();
  const now = useNow();
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = onEscape(onClose);
    // Before the page hears it: there it interrupts a turn.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, onClose]);
  const signOut = (): void => {
    forgetDrafts();
    void hub.signOut();
  };
  return (
    <>
      <button type="button" className="scrim" aria-label="Close the list" tabIndex={-1} onClick={onClose} />
      <nav className="list" aria-label="Sessions">
        <header className="list-head">
          <Logo />
          <strong>Signalbox</strong>
          <button
            type="button"
            className="icon-button only-narrow"
            aria-label="Close the list"
            onClick={onClose}
          >
            <CloseIcon />
          </button>
        </header>
        {mayDrive && (
          <button type="button" className="button wide" onClick={onNew}>
            <PlusIcon /> New session
          </button>
        )}
        <ul className="list-rows">
          {sessions.map((session) => (
            <Row
              key={session.id}
              session={session}
              isCurrent={session.id === current}
              when={ago(session.updatedAt, now)}
              onClose={onClose}
            />
          ))}
        </ul>
        <footer className="list-foot faint">
          <span>{device ? `${device.person} · ${device.name}` : ''}</span>
          <button type="button" className="button quiet" onClick={signOut}>
            Sign out
          </button>
        </footer>
      </nav>
    </>
  );
}

const Row = memo(function Row({
  session,
  isCurrent,
  when,
  onClose,
}: {
  session: Session;
  isCurrent: boolean;
  when: string;
  onClose: () => void;
}) {
  return (
    <li>
      <a
        className="list-row"
        href={pathOf(session.id)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(pathOf(session.id));
          onClose();
        }}
      >
        <StateDot state={session.state} />
        <span className="list-title">{titleOf(session)}</span>
        <time className="faint">{when}</time>
        <span className="list-where faint">
          {session.state === 'asking' ? <b className="asks">asks you</b> : STATE_WORDS[session.state]}
          {session.folder ? ` · ${shortFolder(session.folder)}` : ''}
        </span>
      </a>
    </li>
  );
});

export function StateDot({ state }: { state: SessionState }) {
  return <span className="dot" data-state={state} role="img" aria-label={STATE_WORDS[state]} />;
}

/** The end of a path says more than its beginning. */
function shortFolder(folder: string): string {
  const parts = folder.split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : folder;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
