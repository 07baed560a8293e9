import { useState } from 'react';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { go, pathOf } from '../shell/route.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { setTour } from './tour-state.ts';

/** Where there is no session yet: begins one on the built-in model, and the tour with it. */
export function StartTour() {
  const hub = useHub();
  const mayDrive = useMayDrive();
  const [problem, setProblem] = useState('');
  if (!mayDrive) return null;
  const start = async (): Promise<void> => {
    const launch = { agent: 'scripted', folder: '~', prompt: t.tour.hello };
    const { session } = await hub.api.createSession({ title: t.tour.welcome, launch });
    setTour('say');
    hub.add(session);
    go(pathOf(session.id));
  };
  return (
    <>
      <button
        type="button"
        className="button quiet"
        onClick={() => void start().catch((error: unknown) => setProblem(problemWords(error)))}
      >
        {t.tour.take}
      </button>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
