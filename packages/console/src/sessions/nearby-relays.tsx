import { useState } from 'react';
import type { NearbyRelay } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { go, pathOf } from '../shell/route.ts';
import { useMayRemove } from '../shell/scope.ts';
import { t } from '../words/t.ts';

/** Relays that others run on the hub's machine. The hub looks for them when somebody asks: a page may reach no other port. */
export function NearbyRelays() {
  const hub = useHub();
  const mayLook = useMayRemove();
  const [relays, setRelays] = useState<readonly NearbyRelay[]>();
  const [state, setState] = useState<'idle' | 'looking' | 'joining'>('idle');
  const [problem, setProblem] = useState('');
  if (!mayLook) return null;
  const attempt = (name: 'looking' | 'joining', work: () => Promise<void>): void => {
    setState(name);
    setProblem('');
    work()
      .catch((error: unknown) => setProblem(problemWords(error)))
      .finally(() => setState('idle'));
  };
  const look = async (): Promise<void> => setRelays(await hub.api.nearby());
  const join = async (port: number, agent: string | null): Promise<void> => {
    const session = await hub.api.joinRelay(port, agent ?? undefined);
    hub.add(session);
    go(pathOf(session.id));
  };
  return (
    <section className="nearby" aria-label={t.sessions.relays}>
      <button
        type="button"
        className="button quiet"
        disabled={state !== 'idle'}
        onClick={() => attempt('looking', look)}
      >
        {state === 'looking' ? t.common.looking : t.sessions.lookForRelays}
      </button>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {relays?.length === 0 && (
        <p className="faint hint" role="status">
          {t.sessions.noRelay}
        </p>
      )}
      {relays && relays.length > 0 && (
        <ul className="board-rows">
          {relays.map(({ port, state: is, agents }) => (
            <li key={port} className="board-row nearby-relay">
              <span className="mono">ws://127.0.0.1:{port}</span>
              {is === 'closed' && <span className="faint">{t.sessions.wantsToken}</span>}
              {is === 'open' && agents.length === 0 && <span className="faint">{t.sessions.noAgent}</span>}
              {is === 'open' &&
                agents.map((agent) => (
                  <button
                    key={agent}
                    type="button"
                    className="button"
                    disabled={state !== 'idle'}
                    onClick={() => attempt('joining', () => join(port, agent))}
                  >
                    {t.sessions.takePart(agent ?? t.sessions.itsAgent)}
                  </button>
                ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
