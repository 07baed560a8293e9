// oxlint-disable import/no-unassigned-import -- a style sheet has no names
import '@xterm/xterm/css/xterm.css';
import './terminal.css';
// oxlint-enable import/no-unassigned-import
import { messageOf } from '@signalbox/protocol';
import { useEffect, useState } from 'react';
import type { Session } from 'signalbox/hub';
import { BackFromTerminal } from '../sessions/view-switch.tsx';
import { useHub } from '../shell/hub-context.ts';
import { TerminalView } from './terminal-view.tsx';

const NOTHING = (): void => {};

/** The agent of a session on its own screen, and the way back. */
export default function AgentTerminal({ session }: { session: Session }) {
  const { api } = useHub();
  const { id, view } = session;
  const [number, setNumber] = useState<number>();
  const [problem, setProblem] = useState('');
  // On its way there is none yet, or the one of an earlier time.
  const isThere = view !== 'to-terminal';
  useEffect(() => {
    if (!isThere) return;
    api.terminals(id).then(
      (terminals) => setNumber(terminals.findLast(({ isAgent }) => isAgent)?.number),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [api, id, isThere]);
  return (
    <section className="terminals" aria-label="The agent's screen">
      <BackFromTerminal session={session} onProblem={setProblem} />
      {problem !== '' && (
        <p className="terminal-words" role="alert">
          {problem}
        </p>
      )}
      {number !== undefined && <TerminalView session={id} number={number} onExit={NOTHING} />}
    </section>
  );
}
