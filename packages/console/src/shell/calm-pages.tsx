import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Logo, MenuIcon, PlusIcon } from '../parts/icons.tsx';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { StartTour } from '../tour/start-tour.tsx';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { HubCommand } from './hub-command.tsx';
import { useHub } from './hub-context.ts';
import { LanguageChoice } from './language-choice.tsx';

/** Only who has no session yet sees them here. */
const AlsoHere = lazy(() => import('./also-here.tsx'));

export function SplashPage() {
  return (
    <CalmPage>
      <p className="faint" role="status">
        {t.shell.lookingForSessions}
      </p>
    </CalmPage>
  );
}

export function SignedOutPage() {
  return (
    <CalmPage>
      <h1>{t.shell.signedOut}</h1>
      <p>{t.shell.notSignedIn}</p>
      <p>
        <Sentence of={t.shell.linkFrom(<HubCommand words="link" />)} />
      </p>
      {location.hostname === 'localhost' && (
        <p>
          <Sentence
            of={t.shell.oneName(
              <code>http://127.0.0.1</code>,
              <a href={sameAt('127.0.0.1')}>{t.shell.goThere}</a>,
            )}
          />
        </p>
      )}
      <p className="faint">
        <Sentence
          of={t.shell.programLink(<code>POST /api/sign-in-links</code>, <code>~/.signalbox/token</code>)}
        />
      </p>
      <p>
        <LanguageChoice />
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
      <h1>{t.shell.noAnswer}</h1>
      <p>
        <Sentence of={t.shell.noAnswerAbout(<HubCommand words="up" />)} />
      </p>
      <button type="button" className="button primary" onClick={() => void hub.load()}>
        {t.shell.tryAgain}
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
        <button
          type="button"
          className="icon-button only-narrow"
          aria-label={t.shell.sessions}
          onClick={onList}
        >
          <MenuIcon />
        </button>
      </header>
      <div className="calm">
        <h1>{t.shell.noSessions}</h1>
        <p>{t.shell.noSessionsAbout}</p>
        <button type="button" className="button primary" onClick={onNew}>
          <PlusIcon /> {t.shell.newSession}
        </button>
        <button type="button" className="button quiet" onClick={onNewLoop}>
          {t.shell.newLoop}
        </button>
        <StartTour />
        {dialIn !== undefined && (
          <>
            <p>{t.shell.dialIn}</p>
            <pre className="code">{dialIn}</pre>
          </>
        )}
        <PartBoundary name={t.parts.names.page}>
          <Suspense>
            <AlsoHere />
          </Suspense>
        </PartBoundary>
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
