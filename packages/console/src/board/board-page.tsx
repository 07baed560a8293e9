import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { PermissionRequest, Session } from 'signalbox/hub';
import type { BoardView } from '../live/board-feed.ts';
import { LoopGroup } from '../loops/loop-group.tsx';
import { useLoops } from '../loops/use-loops.ts';
import {
  apartFromLoops,
  type BoardGroup,
  boardGroups,
  NOT_RUNNING,
  tileGroups,
} from '../model/board-groups.ts';
import { findSessions } from '../model/find-sessions.ts';
import { apartFromPutAway } from '../model/put-away.ts';
import { PlusIcon } from '../parts/icons.tsx';
import { useNow } from '../parts/use-now.ts';
import { EverywhereLink } from '../search/everywhere-link.tsx';
import { seenSessions } from '../sessions/seen.ts';
import { SessionSearch } from '../sessions/session-search.tsx';
import { SignedInAs } from '../sessions/signed-in-as.tsx';
import { HomeLink } from '../shell/home-link.tsx';
import { useHubView } from '../shell/hub-context.ts';
import { go, INBOX, pathOf, searchPath } from '../shell/route.ts';
import { useMayDrive } from '../shell/scope.ts';
import { TourBar } from '../tour/tour-bar.tsx';
import { t } from '../words/t.ts';
import { useBoardChoices } from './board-choices.tsx';
import { BoardRow } from './board-row.tsx';
import { BoardTile } from './board-tile.tsx';
import { PutAllAway } from './put-all-away.tsx';
import { PutAwayGroup } from './put-away-group.tsx';

/** What somebody does is shown by the second. */
const CLOCK_MS = 1000;

/** So many agents that ask have their question open in their row; the others open it. */
const OPEN_ASKS = 3;

/** The home of the page: every agent in one row, with what it does and what it asks. */
export function BoardPage({
  board: { glances, asks },
  onNew,
  onNewLoop,
}: {
  board: BoardView;
  onNew: () => void;
  onNewLoop: () => void;
}) {
  const { sessions } = useHubView();
  const mayDrive = useMayDrive();
  const now = useNow(CLOCK_MS);
  const [seen] = useState(seenSessions);
  const { grouping, layout, fields } = useBoardChoices();
  const [words, setWords] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const sought = useDeferredValue(words);
  const found = findSessions(sessions, sought);
  const loops = useLoops();
  const { inLoops, others } = apartFromLoops(found, loops);
  const { inSight, putAway } = apartFromPutAway(others);
  const groups = (layout === 'tiles' ? tileGroups : boardGroups)(inSight, grouping);
  const open = new Set(found.filter(({ state }) => state === 'asking').slice(0, OPEN_ASKS));
  const takeFirst = (): void => {
    const [first] = findSessions(sessions, words);
    if (first) go(pathOf(first.id));
    else if (words.trim() !== '') go(searchPath(words.trim()));
  };
  const known = (session: Session) => ({
    session,
    glance: glances.get(session.id),
    now,
    seen,
    isOpen: open.has(session),
  });
  const row = (session: Session) => <BoardRow key={session.id} {...known(session)} />;
  const tile = (session: Session) => <BoardTile key={session.id} {...known(session)} />;
  const isSought = sought.trim() !== '';
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || document.querySelector('dialog:modal')) return;
      if (target instanceof Element && target.closest('input, textarea, select')) return;
      event.preventDefault();
      search.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const loopsIn = (state: 'under way' | 'ended') =>
    loops
      .filter((loop) => (loop.state === 'ended') === (state === 'ended'))
      .filter(({ id }) => !isSought || inLoops.has(id))
      .map((loop) => (
        <LoopGroup
          key={loop.id}
          loop={loop}
          sessions={inLoops.get(loop.id) ?? []}
          now={now}
          isFound={isSought}
        >
          {row}
        </LoopGroup>
      ));
  return (
    <main className="page board">
      <header className="board-head">
        <HomeLink />
        <h1 className="unseen">{t.board.overview}</h1>
        <SessionSearch field={search} words={words} onWords={setWords} onEnter={takeFirst} />
        {fields}
        {mayDrive && (
          <div className="board-new">
            <button type="button" className="button" onClick={onNewLoop}>
              {t.board.newLoop}
            </button>
            <button type="button" className="button primary" onClick={onNew}>
              <PlusIcon /> {t.board.newSession}
            </button>
          </div>
        )}
      </header>
      <TourBar asks={asks.length} isBoard />
      <div className="board-body" role="presentation" onKeyDown={goThroughRows}>
        <Summary asks={asks} />
        {isSought && <EverywhereLink words={sought} />}
        {found.length === 0 && sought.trim() !== '' && (
          <p className="faint hint">{t.board.notFound(sought.trim())}</p>
        )}
        {loopsIn('under way')}
        {groups.map((group) => (
          <Group key={group.key} group={group} layout={layout}>
            {group.sessions.map(layout === 'tiles' ? tile : row)}
          </Group>
        ))}
        {loopsIn('ended')}
        <PutAwayGroup sessions={putAway} isSought={isSought}>
          {row}
        </PutAwayGroup>
      </div>
      <SignedInAs />
    </main>
  );
}

/** The way to all that waits. */
function Summary({ asks }: { asks: readonly PermissionRequest[] }) {
  if (asks.length < 2) return null;
  return (
    <a className="button inbox-link" href={INBOX}>
      {t.board.questionsWait(asks.length)}
    </a>
  );
}

/** The arrows lead from agent to agent. */
function goThroughRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || !(target instanceof Element) || !target.matches('.board-line')) return;
  const lines = [...currentTarget.querySelectorAll<HTMLElement>('.board-line')];
  const next = lines[lines.findIndex((line) => line === target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Group({
  group,
  layout,
  children,
}: {
  group: BoardGroup;
  layout: 'rows' | 'tiles';
  children: React.ReactNode;
}) {
  return (
    <section className="board-group" aria-label={group.title}>
      <div className="board-group-head">
        <h2 className="board-title">
          {group.title} <span className="faint">{group.sessions.length}</span>
        </h2>
        {group.key === NOT_RUNNING && <PutAllAway sessions={group.sessions} />}
      </div>
      <ul className={layout === 'tiles' ? 'board-tiles' : 'board-rows'}>{children}</ul>
    </section>
  );
}
