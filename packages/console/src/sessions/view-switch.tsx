import type { SessionView } from '@signalbox/protocol/hub';
import { useState } from 'react';
import type { Session } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useCommands } from '../palette/commands.ts';
import { TerminalIcon } from '../parts/icons.tsx';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';

const WORDS: Readonly<Record<SessionView, string>> = {
  sdk: t.sessions.comesBack,
  'to-sdk': t.sessions.comesBack,
  'to-terminal': t.sessions.startsInTerminal,
  terminal: t.sessions.onScreen,
  'terminal-only': t.sessions.onScreen,
};

/** What changes where a conversation goes on, and whether it is being changed. */
function useChangeView(
  session: string,
  onProblem: (words: string) => void,
): [isBusy: boolean, change: (view: 'sdk' | 'terminal', now?: boolean) => void] {
  const { api } = useHub();
  const [isBusy, setBusy] = useState(false);
  const change = (view: 'sdk' | 'terminal', now = false): void => {
    setBusy(true);
    onProblem('');
    api
      .changeView(session, view, now ? { now } : {})
      .catch((error: unknown) => onProblem(problemWords(error)))
      .finally(() => setBusy(false));
  };
  return [isBusy, change];
}

/** Below the prompt: goes on with the conversation on the agent's own screen. */
export function ContinueInTerminal({
  session,
  onProblem,
}: {
  session: Session;
  onProblem: (words: string) => void;
}) {
  const { device } = useHubView();
  const [isBusy, change] = useChangeView(session.id, onProblem);
  const isOffered = device?.scope === 'admin' && session.isLaunched && session.loop === null;
  useCommands(
    isOffered && !isBusy && session.view === 'sdk'
      ? [{ title: t.sessions.toTerminal, group: 'session', run: () => change('terminal') }]
      : [],
  );
  if (!isOffered) return null;
  if (session.view === 'to-terminal' && !isBusy)
    return (
      <span className="view-switch" role="status">
        {t.sessions.toTerminalSoon}
        <button type="button" className="view-button" onClick={() => change('sdk')}>
          {t.sessions.stayHere}
        </button>
      </span>
    );
  const words = isBusy ? t.sessions.moving : t.sessions.toTerminal;
  return (
    <button
      type="button"
      className="view-button view-switch"
      aria-label={words}
      title={words}
      disabled={isBusy}
      onClick={() => change('terminal')}
    >
      <TerminalIcon />
      <span className="only-wide">{words}</span>
    </button>
  );
}

/** Above the agent's own screen: the way back. */
export function BackFromTerminal({
  session,
  onProblem,
}: {
  session: Session;
  onProblem: (words: string) => void;
}) {
  const mayDrive = useMayDrive();
  const [isBusy, change] = useChangeView(session.id, onProblem);
  const isWaiting = session.view === 'to-sdk' && !isBusy;
  useCommands(
    mayDrive && !isWaiting && !isBusy
      ? [{ title: t.sessions.fromTerminal, group: 'session', run: () => change('sdk') }]
      : [],
  );
  return (
    <div className="terminal-tabs">
      <span className="view-words" role="status">
        {isWaiting ? t.sessions.comesBackSoon : WORDS[session.view]}
      </span>
      {mayDrive && isWaiting && (
        <button type="button" className="terminal-tab terminal-end" onClick={() => change('sdk', true)}>
          {t.sessions.backNow}
        </button>
      )}
      {mayDrive && !isWaiting && (
        <button
          type="button"
          className="terminal-tab terminal-end"
          disabled={isBusy}
          onClick={() => change('sdk')}
        >
          {isBusy ? t.sessions.goingBack : t.common.back}
        </button>
      )}
    </div>
  );
}

/** Above the screen of an agent that has nothing else: there is no way back. */
export function OwnScreen({ session }: { session: Session }) {
  return (
    <div className="terminal-tabs">
      <span className="view-words" role="status">
        {session.state === 'exited' ? t.sessions.screenEnded : WORDS[session.view]}
      </span>
    </div>
  );
}
