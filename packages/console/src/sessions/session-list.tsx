import { sessionTitle } from '@signalbox/protocol';
import { groupByLoop } from '@signalbox/protocol/loop';
import {
  Fragment,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Session } from 'signalbox/hub';
import { OtherIterations } from '../loops/other-iterations.tsx';
import { findSessions, isFoundByPrompt } from '../model/find-sessions.ts';
import { isPutAway } from '../model/put-away.ts';
import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { onEscape } from '../parts/escape.ts';
import { CloseIcon, PlusIcon } from '../parts/icons.tsx';
import { useNow } from '../parts/use-now.ts';
import { EverywhereLink } from '../search/everywhere-link.tsx';
import { HomeLink } from '../shell/home-link.tsx';
import { useHubView } from '../shell/hub-context.ts';
import { go, pathOf, searchPath } from '../shell/route.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { SessionSearch } from './session-search.tsx';
import { SignedInAs } from './signed-in-as.tsx';

const CLOCK_MS = 30_000;

/** As many fit at a glance: a search among them would be in the way. */
const AT_A_GLANCE = 5;

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
  const { sessions } = useHubView();
  const mayDrive = useMayDrive();
  const now = useNow(CLOCK_MS);
  const [words, setWords] = useState('');
  const search = useRef<HTMLInputElement>(null);
  // Rows by the thousand must not hold up what is typed.
  const sought = useDeferredValue(words);
  const isSought = sought.trim() !== '';
  const listed = isSought ? sessions : sessions.filter((one) => !isPutAway(one) || one.id === current);
  const found = findSessions(listed, sought);
  const takeFirst = (): void => {
    const [first] = findSessions(sessions, words);
    if (!first && words.trim() === '') return;
    go(first ? pathOf(first.id) : searchPath(words.trim()));
    setWords('');
    search.current?.blur();
    onClose();
  };
  // In the same commit: a key that came before it was heard here would interrupt a turn.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const leave = onEscape(() => (words === '' ? onClose() : setWords('')));
    const onKey = (event: KeyboardEvent): void => {
      // A dialog in front of it leaves first. React hears that it has left a moment later, when the next key may have come already.
      if (!document.querySelector('dialog:modal')) leave(event);
    };
    // Before the page hears it: there it interrupts a turn.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, words, onClose]);
  // A drawer that is opened again shows all.
  useEffect(() => {
    if (!isOpen) setWords('');
  }, [isOpen]);
  const row = (session: Session, place?: 'list-below') => (
    <Row
      key={session.id}
      session={session}
      place={place}
      isCurrent={session.id === current}
      when={ago(session.updatedAt, now)}
      isPromptShown={isFoundByPrompt(session, sought)}
      onClose={onClose}
    />
  );
  return (
    <>
      <button
        type="button"
        className="scrim"
        aria-label={t.sessions.closeList}
        tabIndex={-1}
        onClick={onClose}
      />
      <nav className="list" aria-label={t.sessions.sessions}>
        <header className="list-head">
          <HomeLink onGo={onClose} />
          <button
            type="button"
            className="icon-button only-narrow"
            aria-label={t.sessions.closeList}
            onClick={onClose}
          >
            <CloseIcon />
          </button>
        </header>
        {mayDrive && (
          <button type="button" className="button wide" onClick={onNew}>
            <PlusIcon /> {t.sessions.newSession}
          </button>
        )}
        {(sessions.length > AT_A_GLANCE || words !== '') && (
          <SessionSearch field={search} words={words} onWords={setWords} onEnter={takeFirst} />
        )}
        <p className="unseen" role="status">
          {isSought ? t.sessions.count(found.length, sessions.length) : ''}
        </p>
        <ul className="list-rows">
          {found.length === 0 && sought !== '' && (
            <li className="list-none faint">{t.sessions.notFound(sought.trim())}</li>
          )}
          {isSought && (
            <li>
              <EverywhereLink words={sought} onGo={onClose} />
            </li>
          )}
          {groupByLoop(found).map(({ first, others }) => (
            <Fragment key={first.loop?.id ?? first.id}>
              {row(first)}
              {others.length > 0 && (
                <Below
                  count={others.length}
                  isOpenByItself={sought !== '' || others.some(({ id }) => id === current)}
                >
                  {() => others.map((session) => row(session, 'list-below'))}
                </Below>
              )}
            </Fragment>
          ))}
        </ul>
        <SignedInAs onGo={onClose} />
      </nav>
    </>
  );
}

/** Below the newest iteration of a loop, the others on demand. */
function Below({
  count,
  isOpenByItself,
  children,
}: {
  count: number;
  isOpenByItself: boolean;
  children: () => ReactNode;
}) {
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? isOpenByItself;
  return (
    <>
      <li>
        <OtherIterations count={count} isOpen={isOpen} onToggle={() => setChoice(!isOpen)} />
      </li>
      {isOpen && children()}
    </>
  );
}

const Row = memo(function Row({
  session,
  place,
  isCurrent,
  when,
  isPromptShown,
  onClose,
}: {
  session: Session;
  place: 'list-below' | undefined;
  isCurrent: boolean;
  when: string;
  isPromptShown: boolean;
  onClose: () => void;
}) {
  return (
    <li className={place}>
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
          {session.state === 'asking' ? (
            <b className="asks">{t.sessions.asksYou}</b>
          ) : (
            t.states.session(session).word
          )}
          {isPutAway(session) ? ` · ${t.sessions.isPutAway}` : ''}
          {session.folder ? ` · ${shortFolder(session.folder)}` : ''}
        </span>
        {isPromptShown && (
          <span className="list-where faint" dir="auto">
            “{session.lastPrompt}”
          </span>
        )}
      </a>
    </li>
  );
});

/** A lamp, with its word for those who do not see it. One that could do nothing with its last prompt is not green. */
export function StateDot({ session }: { session: Pick<Session, 'state' | 'problem'> }) {
  const { state, problem } = session;
  const lamp = state === 'idle' && problem ? 'trouble' : state;
  return <span className="dot" data-state={lamp} role="img" aria-label={t.states.session(session).word} />;
}
