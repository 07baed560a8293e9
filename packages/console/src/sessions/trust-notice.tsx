import { useEffect, useState } from 'react';
import type { FolderTrust, Session } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { WarningIcon } from '../parts/icons.tsx';
import { useHub } from '../shell/hub-context.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { useMayTrust } from './use-folder-trust.ts';

/** What a session's agent left out because its folder is not trusted, and the way to trust it. */
export function TrustNotice({ session }: { session: Session }) {
  const { api } = useHub();
  const mayTrust = useMayTrust();
  const [trust, setTrust] = useState<FolderTrust | null>(null);
  const [state, setState] = useState<'asking' | 'trusted' | 'restarting' | 'left'>('asking');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isOver = false;
    if (!mayTrust) return undefined;
    api.trustOf(session.id).then(
      (found) => {
        if (!isOver) setTrust(found);
      },
      // A hub that cannot tell has nothing to be asked about.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, session.id, mayTrust]);
  if (!trust || state === 'left') return null;
  if (state === 'asking' && (trust.isTrusted || trust.withheld.length === 0)) return null;
  const agree = (): void => {
    api.trustFolder(trust.folder).then(
      () => setState('trusted'),
      (error: unknown) => setProblem(problemWords(error)),
    );
  };
  const restart = (): void => {
    setState('restarting');
    setProblem('');
    api.restart(session.id).then(
      () => setState('left'),
      (error: unknown) => {
        setState('trusted');
        setProblem(problemWords(error));
      },
    );
  };
  return (
    <section className="trust-notice" aria-label={t.sessions.trust}>
      <WarningIcon />
      <p>
        {state === 'asking' ? (
          <>
            <Sentence of={t.sessions.notTrusted(<code>{trust.root}</code>, trust.withheld.join('; '))} />
          </>
        ) : (
          t.sessions.trusted
        )}
        {problem !== '' && (
          <span className="problem" role="alert">
            {' '}
            {problem}
          </span>
        )}
      </p>
      <div className="buttons">
        {state === 'asking' && (
          <button type="button" className="button" onClick={agree}>
            {t.sessions.trustFolder}
          </button>
        )}
        {(state === 'trusted' || state === 'restarting') && (
          <button type="button" className="button" disabled={state === 'restarting'} onClick={restart}>
            {state === 'restarting' ? t.sessions.restarting : t.sessions.restartAgent}
          </button>
        )}
        <button type="button" className="button quiet" onClick={() => setState('left')}>
          {state === 'asking' ? t.sessions.notNow : t.sessions.later}
        </button>
      </div>
    </section>
  );
}
