import { type ReactNode, useEffect, useState } from 'react';
import { Logo, MenuIcon, PlusIcon } from '../parts/icons.tsx';
import { NearbyRelays } from '../sessions/nearby-relays.tsx';
import { StartTour } from '../tour/start-tour.tsx';
import { LeftWorktrees } from '../worktrees/left-worktrees.tsx';
import { HubCommand } from './hub-command.tsx';
import { useHub } from './hub-context.ts';

export function SplashPage() {
  return (
    <CalmPage>
      <p className="faint" role="status">
        Looking for your sessions …
      </p>
    </CalmPage>
  );
}

export function SignedOutPage() {
  return (
    <CalmPage>
      <h1>Signed out</h1>
      <p>This browser is not signed in to this hub, or its access was taken back.</p>
      <p>
        Whoever runs the hub has a link for you: it prints one when it starts, and <HubCommand words="link" />{' '}
        another. It signs one browser in, once, within 15 minutes.
      </p>
      {location.hostname === 'localhost' && (
        <p>
          A browser is signed in under one name. If the link that you followed begins with{' '}
          <code>http://127.0.0.1</code>, <a href={sameAt('127.0.0.1')}>go on there</a>.
        </p>
      )}
      <p className="faint">
        A program makes one with <code>POST /api/sign-in-links</code> and the token in{' '}
        <code>~/.signalbox/token</code>.
      </p>
    </CalmPage>
  );
}

function sameAt(hostname: string): string {
  const address = new URL(location.href);
  address.hostname = hostname;
  return address.href;
}

export function UnreachablePage() {
  const hub = useHub();
  return (
    <CalmPage>
      <h1>The hub does not answer</h1>
      <p>
        It may have been stopped, or the network is gone. Agents behind a bridge go on without it. Start it
        again with <HubCommand words="up" />; this page goes on by itself.
      </p>
      <button type="button" className="button primary" onClick={() => void hub.load()}>
        Try again
      </button>
    </CalmPage>
  );
}

export function EmptyPage({
  onNew,
  onNewLoop,
  onList,
}: {
  onNew: () => void;
  onNewLoop: () => void;
  onList: () => void;
}) {
  const dialIn = useDialIn();
  return (
    <main className="page">
      <header className="page-head">
        <button type="button" className="icon-button only-narrow" aria-label="Sessions" onClick={onList}>
          <MenuIcon />
        </button>
      </header>
      <div className="calm">
        <h1>No sessions yet</h1>
        <p>A session is one agent at work in one folder.</p>
        <button type="button" className="button primary" onClick={onNew}>
          <PlusIcon /> New session
        </button>
        <button type="button" className="button quiet" onClick={onNewLoop}>
          New loop
        </button>
        <StartTour />
        {dialIn !== undefined && (
          <>
            <p>Or let an agent dial in, from a terminal of the hub’s machine:</p>
            <pre className="code">{dialIn}</pre>
          </>
        )}
        <LeftWorktrees />
        <NearbyRelays />
      </div>
    </main>
  );
}

/** The hub knows how its own machine calls it. */
function useDialIn(): string | undefined {
  const { api } = useHub();
  const [dialIn, setDialIn] = useState<string>();
  useEffect(() => {
    // Without an answer the page does without the command.
    api.agents().then(
      (agents) => setDialIn(agents.dialIn),
      () => {},
    );
  }, [api]);
  return dialIn;
}

function CalmPage({ children }: { children: ReactNode }) {
  return (
    <main className="calm alone">
      <Logo />
      {children}
    </main>
  );
}
