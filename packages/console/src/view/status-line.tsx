import { messageOf } from '@signalbox/protocol';
import { useState } from 'react';
import type { Session, SessionState } from 'signalbox/hub';
import { useHub, useHubView } from './hub-context.ts';
import { WarningIcon } from './icons.tsx';
import { useMayDrive } from './scope.ts';
import { STATE_WORDS } from './session-list.tsx';

/** The modes that are worth switching to while an agent works. */
const MODES: readonly [string, string][] = [
  ['default', 'Asks before it acts'],
  ['acceptEdits', 'Accepts edits'],
  ['plan', 'Plans only'],
  ['bypassPermissions', 'Asks for nothing'],
  ['dontAsk', 'Denies instead of asking'],
];

export function StatusLine({ session, activity }: { session: Session; activity: SessionState }) {
  const { connection } = useHubView();
  if (connection !== 'open') {
    return (
      <p className="status-line lost" role="status">
        <WarningIcon /> Connection lost, trying again. The agent goes on; what you send is delivered when the
        hub is back.
      </p>
    );
  }
  return (
    <p className="status-line faint">
      <span className="only-wide">{STATE_WORDS[activity]}</span>
      {session.model && <span className="model">{session.model}</span>}
      <ModeSwitch session={session} activity={activity} />
    </p>
  );
}

function ModeSwitch({ session, activity }: { session: Session; activity: SessionState }) {
  const { stream } = useHub();
  const mayDrive = useMayDrive();
  // Holds until the agent says which mode it is in: that may have been changed from elsewhere since.
  const [chosen, setChosen] = useState<{ before: string | null; mode: string }>();
  const [problem, setProblem] = useState('');
  const isChosen = chosen !== undefined && chosen.before === session.mode;
  const mode = (isChosen ? chosen.mode : session.mode) ?? 'default';
  const isAway = activity === 'exited' || activity === 'disconnected' || activity === 'starting';
  const change = (next: string): void => {
    setProblem('');
    stream.control(session.id, { subtype: 'set_permission_mode', mode: next }).then(
      () => setChosen({ before: session.mode, mode: next }),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const known = MODES.some(([name]) => name === mode);
  return (
    <>
      <select
        className="mode"
        aria-label="Permission mode"
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
      {problem !== '' && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
