// oxlint-disable import/no-unassigned-import -- a style sheet has no names
import '@xterm/xterm/css/xterm.css';
import './terminal.css';
// oxlint-enable import/no-unassigned-import
import { useCallback, useEffect, useState } from 'react';
import type { HubApi, Terminal } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { TerminalView } from './terminal-view.tsx';

/** The agent that runs in one has its own tab; the screens of those that have ended stay to be read. */
async function shellsOf(api: HubApi, session: string): Promise<Terminal[]> {
  return (await api.terminals(session)).filter(({ state, isAgent }) => !isAgent || state !== 'running');
}

/** The terminals of a session: one is shown, and others can be chosen, started and ended. */
export default function TerminalPanel({ session }: { session: string }) {
  const { api } = useHub();
  const { device } = useHubView();
  const mayType = device?.scope === 'admin';
  const [terminals, setTerminals] = useState<readonly Terminal[]>();
  const [chosen, setChosen] = useState<number>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const attempt = useCallback(async (work: () => Promise<unknown>) => {
    try {
      await work();
      setProblem('');
    } catch (error) {
      setProblem(problemWords(error));
    }
  }, []);
  const load = useCallback(
    () => attempt(async () => setTerminals(await shellsOf(api, session))),
    [api, attempt, session],
  );
  useEffect(() => void load(), [load]);
  const onExit = useCallback(() => void load(), [load]);
  const change = async (work: () => Promise<Terminal | undefined>): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      setChosen((await work())?.number);
      setTerminals(await shellsOf(api, session));
    });
    setBusy(false);
  };
  const start = (): Promise<void> => change(() => api.startTerminal(session));
  const end = (number: number): Promise<void> =>
    change(async () => {
      await api.endTerminal(session, number);
      return undefined;
    });
  const shown = terminals?.find(({ number }) => number === chosen) ?? terminals?.at(-1);
  return (
    <section className="terminals" aria-label={t.terminal.terminals}>
      {terminals && terminals.length > 0 && (
        <div className="terminal-tabs">
          {terminals.map(({ number, state, isAgent }) => (
            <button
              key={number}
              type="button"
              className="terminal-tab"
              aria-pressed={number === shown?.number}
              onClick={() => setChosen(number)}
            >
              {isAgent ? t.terminal.agent(number) : t.terminal.terminal(number)}
              {state === 'running' ? '' : ` ${t.terminal.ended}`}
            </button>
          ))}
          {mayType && (
            <button type="button" className="terminal-tab" disabled={isBusy} onClick={() => void start()}>
              {t.terminal.new}
            </button>
          )}
          {mayType && shown && (
            <button
              type="button"
              className="terminal-tab terminal-end"
              disabled={isBusy}
              onClick={() => void end(shown.number)}
            >
              {shown.state === 'running' ? t.terminal.end : t.common.remove}
            </button>
          )}
        </div>
      )}
      {problem !== '' && (
        <p className="terminal-words" role="alert">
          {problem}
        </p>
      )}
      {terminals?.length === 0 && (
        <div className="calm">
          <h2>{t.terminal.none}</h2>
          <p>{t.terminal.noneAbout}</p>
          {mayType ? (
            <button type="button" className="button main" disabled={isBusy} onClick={() => void start()}>
              {t.terminal.start}
            </button>
          ) : (
            <p className="faint">{t.terminal.needsAdmin}</p>
          )}
        </div>
      )}
      {shown && <TerminalView key={shown.number} session={session} number={shown.number} onExit={onExit} />}
    </section>
  );
}
