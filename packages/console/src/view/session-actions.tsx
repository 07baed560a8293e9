import { messageOf } from '@signalbox/protocol';
import { useState } from 'react';
import type { Session, SessionState } from 'signalbox/hub';
import { useHub } from './hub-context.ts';
import { RestartIcon } from './icons.tsx';
import { useMayDrive } from './scope.ts';

/** End the agent, or start it again. */
export function SessionActions({ session, activity }: { session: Session; activity: SessionState }) {
  const { api } = useHub();
  const mayDrive = useMayDrive();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (!mayDrive) return null;
  const isOver = activity === 'exited' || activity === 'disconnected';
  const act = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await (isOver ? api.restart(session.id) : api.stop(session.id));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <div className="page-actions">
      {problem !== '' && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
      <button type="button" className="button quiet" disabled={isBusy} onClick={() => void act()}>
        {isOver ? (
          <>
            <RestartIcon /> Start again
          </>
        ) : (
          'End'
        )}
      </button>
    </div>
  );
}
