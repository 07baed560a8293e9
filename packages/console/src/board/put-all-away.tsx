import { useState } from 'react';
import type { Session } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useCommands } from '../palette/commands.ts';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';

/** Puts away all sessions whose agents have ended. One that is only not connected stays in sight: it may come back. */
export function PutAllAway({ sessions }: { sessions: readonly Session[] }) {
  const { api } = useHub();
  const mayDrive = useMayDrive();
  const [state, setState] = useState<'ready' | 'working'>('ready');
  const [problem, setProblem] = useState('');
  const ended = sessions.filter(({ state: is }) => is === 'exited');
  const isOffered = mayDrive && ended.length > 1;
  const putAway = async (): Promise<void> => {
    setState('working');
    setProblem('');
    try {
      for (const { id } of ended) await api.archive(id);
    } catch (error) {
      setProblem(problemWords(error));
    }
    setState('ready');
  };
  const run = (): void => void putAway();
  useCommands(isOffered ? [{ title: t.board.putAwayEnded, words: 'archive', group: 'do', run }] : []);
  if (!isOffered) return null;
  return (
    <>
      <button type="button" className="button quiet put-all" disabled={state === 'working'} onClick={run}>
        {state === 'working' ? t.board.puttingAway : t.board.putAwayEnded}
      </button>
      {problem !== '' && <span className="problem">{problem}</span>}
    </>
  );
}
