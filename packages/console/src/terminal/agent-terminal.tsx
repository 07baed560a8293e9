// oxlint-disable import/no-unassigned-import -- a style sheet has no names
import '@xterm/xterm/css/xterm.css';
import './terminal.css';
// oxlint-enable import/no-unassigned-import
import { useEffect, useState } from 'react';
import type { Session } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { BackFromTerminal, OwnScreen } from '../sessions/view-switch.tsx';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { TerminalView } from './terminal-view.tsx';

const NOTHING = (): void => {};

const LOOK_MS = 300;

/** The agent of a session on its own screen, and the way back. */
export default function AgentTerminal({ session }: { session: Session }) {
  const { api } = useHub();
  const { id, view, state } = session;
  const [number, setNumber] = useState<number>();
  const [problem, setProblem] = useState('');
  // On its way there is none yet, or the one of an earlier time.
  const isThere = view !== 'to-terminal';
  useEffect(() => {
    if (!isThere) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      api.terminals(id).then(
        (terminals) => {
          const own = terminals.findLast(({ isAgent }) => isAgent);
          setNumber(own?.number);
          // One that was started again is not there at once.
          if (state === 'terminal' && own?.state !== 'running') timer = setTimeout(look, LOOK_MS);
        },
        (error: unknown) => setProblem(problemWords(error)),
      );
    };
    look();
    return () => clearTimeout(timer);
  }, [api, id, isThere, state]);
  return (
    <section className="terminals" aria-label={t.terminal.agentScreen}>
      {view === 'terminal-only' ? (
        <OwnScreen session={session} />
      ) : (
        <BackFromTerminal session={session} onProblem={setProblem} />
      )}
      {problem !== '' && (
        <p className="terminal-words" role="alert">
          {problem}
        </p>
      )}
      {number !== undefined && <TerminalView key={number} session={id} number={number} onExit={NOTHING} />}
    </section>
  );
}
