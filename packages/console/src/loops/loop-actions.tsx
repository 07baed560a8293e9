import { messageOf } from '@signalbox/protocol';
import { useState } from 'react';
import type { Loop, LoopAct } from 'signalbox/hub';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { EditLoopDialog } from './edit-loop-dialog.tsx';

/** What can be done about a loop. */
export function LoopActions({ loop }: { loop: Loop }) {
  const { api, loops } = useHub();
  const mayDrive = useMayDrive();
  const [asked, setAsked] = useState<'edit' | 'stop'>();
  const [problem, setProblem] = useState('');
  if (!mayDrive) return null;
  const { id, state, spec } = loop;
  const attempt = (work: Promise<void>): void => {
    setProblem('');
    work.catch((error: unknown) => setProblem(messageOf(error)));
  };
  const act = async (word: LoopAct): Promise<void> => loops.put(await api.actOnLoop(id, word));
  const forget = async (): Promise<void> => {
    await api.removeLoop(id);
    loops.forget(id);
  };
  const button = (words: string, onClick: () => void) => (
    <button type="button" className="button" aria-label={`${words} ${spec.title}`} onClick={onClick}>
      {words}
    </button>
  );
  const close = (): void => setAsked(undefined);
  return (
    <div className="loop-actions">
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {state === 'running' && button('Pause', () => attempt(act('pause')))}
      {(state === 'paused' || state === 'pausing') && button('Resume', () => attempt(act('resume')))}
      {state !== 'ended' && state !== 'stopping' && (
        <>
          {button('Edit …', () => setAsked('edit'))}
          {button('Stop …', () => setAsked('stop'))}
        </>
      )}
      {state === 'ended' && button('Forget', () => attempt(forget()))}
      {asked === 'edit' && <EditLoopDialog loop={loop} onClose={close} />}
      {asked === 'stop' && (
        <FormDialog
          title="Stop this loop?"
          action={['Stop', 'Stopping …']}
          tone="danger"
          onSubmit={() => act('stop')}
          onClose={close}
        >
          <p>The turn that runs is ended first. What its agents did stays, and so do its sessions.</p>
        </FormDialog>
      )}
    </div>
  );
}
