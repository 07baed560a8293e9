import { useState } from 'react';
import { HubRefusedError, type Session, type SessionState } from 'signalbox/hub';
import { AgentSwitches } from '../compose/agent-switches.tsx';
import { BudgetMeter, ContextMeter } from '../compose/meters.tsx';
import type { AgentFacts } from '../model/agent-facts.ts';
import { MODES } from '../model/permission-modes.ts';
import { problemWords } from '../model/problem-words.ts';
import { momentWords } from '../model/session-order.ts';
import { useCommands } from '../palette/commands.ts';
import { WarningIcon } from '../parts/icons.tsx';
import { Notice } from '../parts/notice.tsx';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { ContinueInTerminal } from './view-switch.tsx';

export function StatusLine({
  session,
  activity,
  facts,
  keptAt,
}: {
  session: Session;
  activity: SessionState;
  facts: AgentFacts;
  /** When this was seen, if it is what the browser kept. */
  keptAt: number | undefined;
}) {
  const { connection } = useHubView();
  const [problem, setProblem] = useState('');
  const { word, sentence } = t.states.session({ ...session, state: activity });
  /** What was read and closed; it comes back when there is another. */
  const [read, setRead] = useState('');
  const isUnable = activity === 'idle' && session.problem?.code === 'no_credentials' && read !== sentence;
  const isKept = keptAt !== undefined;
  if (isKept && (connection === 'open' || connection === 'connecting')) {
    return (
      <p className="status-line faint" role="status">
        {t.sessions.catchingUp(momentWords(keptAt))}
      </p>
    );
  }
  if (connection !== 'open') {
    return (
      <p className="status-line lost" role="status">
        <WarningIcon />
        <span>
          {navigator.onLine ? t.sessions.lost : t.sessions.lostOffline}{' '}
          <span className="lost-more">
            {isKept && `${t.sessions.asItWas(momentWords(keptAt))} `}
            {t.sessions.goesOn}
          </span>
        </span>
      </p>
    );
  }
  return (
    <>
      {problem !== '' && <Notice words={problem} onClose={() => setProblem('')} />}
      {isUnable && <Notice words={sentence} onClose={() => setRead(sentence)} />}
      <div className="status-line faint">
        <span className="only-wide">{word}</span>
        <AgentSwitches session={session} activity={activity} facts={facts} onProblem={setProblem} />
        <ContextMeter session={session} facts={facts} />
        <BudgetMeter session={session} activity={activity} />
        <ContinueInTerminal session={session} onProblem={setProblem} />
        <ModeSwitch session={session} activity={activity} onProblem={setProblem} />
      </div>
    </>
  );
}

/** What to do instead, in words that are not the agent's own for programs. */
function refusalWords(mode: string, error: unknown): string {
  if (error instanceof HubRefusedError && error.reason === 'CONTROL_REFUSED' && mode === 'bypassPermissions')
    return t.sessions.goesOnAsking;
  return t.sessions.modeNotChanged(problemWords(error));
}

function ModeSwitch({
  session,
  activity,
  onProblem,
}: {
  session: Session;
  activity: SessionState;
  onProblem: (words: string) => void;
}) {
  const { stream } = useHub();
  const mayDrive = useMayDrive();
  // Holds until the agent says which mode it is in: that may have been changed from elsewhere since.
  const [chosen, setChosen] = useState<{ before: string | null; mode: string }>();
  const isChosen = chosen !== undefined && chosen.before === session.mode;
  const mode = (isChosen ? chosen.mode : session.mode) ?? 'default';
  const isAway = activity === 'exited' || activity === 'disconnected' || activity === 'starting';
  const change = (next: string): void => {
    onProblem('');
    stream.control(session.id, { subtype: 'set_permission_mode', mode: next }).then(
      () => setChosen({ before: session.mode, mode: next }),
      (error: unknown) => onProblem(refusalWords(next, error)),
    );
  };
  useCommands(
    isAway || !mayDrive
      ? []
      : MODES.filter(([name]) => name !== mode).map(([name, words]) => ({
          title: t.sessions.modeIs(words),
          words: t.sessions.modeWords(name),
          group: 'session',
          run: () => change(name),
        })),
  );
  const known = MODES.some(([name]) => name === mode);
  return (
    <select
      className="mode"
      aria-label={t.sessions.mode}
      value={mode}
      disabled={isAway || !mayDrive}
      onChange={(event) => change(event.target.value)}
    >
      {MODES.map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
      {!known && <option value={mode}>{mode}</option>}
    </select>
  );
}
