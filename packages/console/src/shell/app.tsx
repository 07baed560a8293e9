import { sessionTitle } from '@signalbox/protocol';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { BoardPages } from '../board/board-pages.tsx';
import { useLoops } from '../loops/use-loops.ts';
import { isScripted } from '../model/scripted.ts';
import { PaletteKeys } from '../palette/palette-keys.tsx';
import { LoadedDialog } from '../parts/loaded-dialog.tsx';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import { SessionPage } from '../sessions/session-page.tsx';
import { t } from '../words/t.ts';
import { BehindNote } from './behind-note.tsx';
import { EmptyPage, SignedOutPage, SplashPage, UnreachablePage } from './calm-pages.tsx';
import { useHubView } from './hub-context.ts';
import { HUB_PAGES } from './hub-pages.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { usePageCommands } from './page-commands.ts';
import { useHashAtHome, useSessionInAddress } from './route.ts';
import { UpdateNote } from './update-note.tsx';

/** Loaded when they are first opened. */
const NewSessionDialog = lazy(() => import('../sessions/new-session-dialog.tsx'));
const NewLoopDialog = lazy(() => import('../loops/new-loop-dialog.tsx'));

export function App() {
  const { state } = useHubView();
  switch (state) {
    case 'loading':
      return <SplashPage />;
    case 'signed-out':
      return <SignedOutPage />;
    case 'unreachable':
      return <UnreachablePage />;
    case 'ready':
      return <Console />;
  }
}

function Console() {
  const { sessions, device } = useHubView();
  const current = useSessionInAddress();
  const [isListOpen, setListOpen] = useState(false);
  const [isNewOpen, setNewOpen] = useState(false);
  const [isNewLoopOpen, setNewLoopOpen] = useState(false);
  const hasLoops = useLoops().length > 0;
  const [openAsks, setOpenAsks] = useState(0);
  const closeNew = useCallback(() => setNewOpen(false), []);
  const closeNewLoop = useCallback(() => setNewLoopOpen(false), []);
  const openList = useCallback(() => setListOpen(true), []);
  const closeList = useCallback(() => setListOpen(false), []);
  const hash = useHashAtHome();
  const hubPage = HUB_PAGES.find((page) => page.hash === hash && device && page.isFor(device));
  // The board is the list of sessions.
  const isBoard = current === undefined && (sessions.length > 0 || hasLoops || hubPage !== undefined);
  const session = sessions.find(({ id }) => id === current);
  const elsewhere = sessions.filter(({ id, state }) => state === 'asking' && id !== current).length;
  const asking = openAsks + elsewhere;
  // The folder of a script is no place to work in.
  const folder = session && !isScripted(session) ? (session.folder ?? '') : '';
  usePageCommands({ onNew: () => setNewOpen(true), onNewLoop: () => setNewLoopOpen(true) });
  useEffect(() => {
    const name = session ? `${sessionTitle(session)} · Signalbox` : 'Signalbox';
    document.title = asking > 0 ? `(${asking}) ${name}` : name;
  }, [asking, session]);
  return (
    <div
      className="console"
      data-list={isListOpen ? 'open' : 'closed'}
      data-page={isBoard ? 'board' : 'session'}
    >
      {!isBoard && (
        <PartBoundary name={t.parts.names.list}>
          <SessionList
            current={current}
            onNew={() => {
              setListOpen(false);
              setNewOpen(true);
            }}
            onClose={closeList}
            isOpen={isListOpen}
          />
        </PartBoundary>
      )}
      {current === undefined && !isBoard && (
        <EmptyPage onNew={() => setNewOpen(true)} onNewLoop={() => setNewLoopOpen(true)} onList={openList} />
      )}
      {isBoard && (
        <PartBoundary key={hubPage?.hash ?? 'board'} name={t.parts.names.page}>
          {hubPage ? (
            <Suspense fallback={<main className="page" aria-busy="true" />}>
              <hubPage.Page />
            </Suspense>
          ) : (
            <BoardPages onNew={() => setNewOpen(true)} onNewLoop={() => setNewLoopOpen(true)} />
          )}
        </PartBoundary>
      )}
      {current !== undefined && (
        <PartBoundary key={current} name={t.parts.names.session}>
          <SessionPage id={current} elsewhere={elsewhere} onList={openList} onAsks={setOpenAsks} />
        </PartBoundary>
      )}
      {current === undefined && <BehindNote />}
      <UpdateNote />
      <KeysDialog />
      <PaletteKeys />
      {isNewLoopOpen && (
        <LoadedDialog onClose={closeNewLoop}>
          <NewLoopDialog folder={folder} onClose={closeNewLoop} />
        </LoadedDialog>
      )}
      {isNewOpen && (
        <LoadedDialog onClose={closeNew}>
          <NewSessionDialog folder={folder} onClose={closeNew} />
        </LoadedDialog>
      )}
    </div>
  );
}
