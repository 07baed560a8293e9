import { sessionTitle } from '@signalbox/protocol';
import { useEffect, useLayoutEffect, useState } from 'react';
import { isScripted } from '../model/scripted.ts';
import { EmptyPage, SignedOutPage, SplashPage, UnreachablePage } from './calm-pages.tsx';
import { useHubView } from './hub-context.ts';
import { NewSessionDialog } from './new-session-dialog.tsx';
import { goInstead, pathOf, useSessionInAddress } from './route.ts';
import { SessionList } from './session-list.tsx';
import { SessionPage } from './session-page.tsx';

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
  const { sessions } = useHubView();
  const current = useSessionInAddress();
  const [isListOpen, setListOpen] = useState(false);
  const [isNewOpen, setNewOpen] = useState(false);
  const [openAsks, setOpenAsks] = useState(0);
  const first = sessions[0]?.id;
  const session = sessions.find(({ id }) => id === current);
  const elsewhere = sessions.filter(({ id, state }) => state === 'asking' && id !== current).length;
  const asking = openAsks + elsewhere;
  // The folder of a script is no place to work in.
  const folder = session && !isScripted(session) ? (session.folder ?? '') : '';
  // Once: the first of a list that changes must not be swapped for another under somebody's hand.
  useLayoutEffect(() => {
    if (current === undefined && first !== undefined) goInstead(pathOf(first));
  }, [current, first]);
  useEffect(() => {
    const name = session ? `${sessionTitle(session)} · Signalbox` : 'Signalbox';
    document.title = asking > 0 ? `(${asking}) ${name}` : name;
  }, [asking, session]);
  return (
    <div className="console" data-list={isListOpen ? 'open' : 'closed'}>
      <SessionList
        current={current}
        onNew={() => {
          setListOpen(false);
          setNewOpen(true);
        }}
        onClose={() => setListOpen(false)}
        isOpen={isListOpen}
      />
      {current === undefined ? (
        <EmptyPage onNew={() => setNewOpen(true)} onList={() => setListOpen(true)} />
      ) : (
        <SessionPage
          key={current}
          id={current}
          elsewhere={elsewhere}
          onList={() => setListOpen(true)}
          onAsks={setOpenAsks}
        />
      )}
      {isNewOpen && <NewSessionDialog folder={folder} onClose={() => setNewOpen(false)} />}
    </div>
  );
}
