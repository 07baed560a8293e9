import { lazy, useState } from 'react';
import type { Loop, LoopAct } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { LoadedDialog } from '../parts/loaded-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';

const EditLoopDialog = lazy(() => import('./edit-loop-dialog.tsx'));

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
    work.catch((error: unknown) => setProblem(problemWords(error)));
  };
  const act = async (word: LoopAct): Promise<void> => loops.put(await api.actOnLoop(id, word));
  const forget = async (): Promise<void> => {
    await api.removeLoop(id);
    loops.forget(id);
  };
  const button = (words: string, onClick: () => void) => (
    <button type="button" className="button" aria-label={t.loops.actOn(words, spec.title)} onClick={onClick}>
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
      {state === 'running' && button(t.loops.pause, () => attempt(act('pause')))}
      {(state === 'paused' || state === 'pausing') && button(t.loops.resume, () => attempt(act('resume')))}
      {state !== 'ended' && state !== 'stopping' && (
        <>
          {button(t.loops.edit, () => setAsked('edit'))}
          {button(t.loops.stopAsk, () => setAsked('stop'))}
        </>
      )}
      {state === 'ended' && button(t.loops.forget, () => attempt(forget()))}
      {asked === 'edit' && (
        <LoadedDialog onClose={close}>
          <EditLoopDialog loop={loop} onClose={close} />
        </LoadedDialog>
      )}
      {asked === 'stop' && (
        <FormDialog
          title={t.loops.stopQuestion}
          action={[t.common.stop, t.loops.stopping]}
          tone="danger"
          onSubmit={() => act('stop')}
          onClose={close}
        >
          <p>{t.loops.stopAbout}</p>
        </FormDialog>
      )}
    </div>
  );
}
