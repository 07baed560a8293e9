import { sessionTitle, stateWords } from '@signalbox/protocol';
import { memo, useEffect, useState } from 'react';
import type { Session } from 'signalbox/hub';
import { ago } from '../model/session-order.ts';
import { onEscape } from './escape.ts';
import { useHubView } from './hub-context.ts';
import { CloseIcon, Logo, PlusIcon } from './icons.tsx';
import { go, pathOf } from './route.ts';
import { useMayDrive } from './scope.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';

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
  const { sessions, device } = useHubView();
  const mayDrive = useMayDrive();
  const now = useNow();
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    // A dialog in front of it leaves first.
    if (!isOpen || isLeaving) return undefined;
    const onKey = onEscape(onClose);
    // Before the page hears it: there it interrupts a turn.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, isLeaving, onClose]);
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
          <button type="button" className="button quiet" onClick={() => setLeaving(true)}>
            Sign out
          </button>
        </footer>
      </nav>
      {isLeaving && <SignOutDialog onClose={() => setLeaving(false)} />}
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
        <StateDot session={session} />
        <span className="list-title" dir="auto">
          {sessionTitle(session)}
        </span>
        <time className="faint">{when}</time>
        <span className="list-where faint">
          {session.state === 'asking' ? <b className="asks">asks you</b> : stateWords(session).word}
          {session.folder ? ` · ${shortFolder(session.folder)}` : ''}
        </span>
      </a>
    </li>
  );
});

/** A lamp, with its word for those who do not see it. One that could do nothing with its last prompt is not green. */
export function StateDot({ session }: { session: Pick<Session, 'state' | 'problem'> }) {
  const { state, problem } = session;
  const lamp = state === 'idle' && problem ? 'trouble' : state;
  return <span className="dot" data-state={lamp} role="img" aria-label={stateWords(session).word} />;
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
