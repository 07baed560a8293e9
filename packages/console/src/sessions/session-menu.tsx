import { messageOf } from '@signalbox/protocol';
import { useId, useRef, useState } from 'react';
import type { Session, SessionState } from 'signalbox/hub';
import { useCommands } from '../palette/commands.ts';
import { MoreIcon, RestartIcon } from '../parts/icons.tsx';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive, useMayRemove } from '../shell/scope.ts';
import { EndDialog, RemoveDialog, RenameDialog } from './session-dialogs.tsx';

const DIALOGS = { rename: RenameDialog, end: EndDialog, remove: RemoveDialog };

/** What can be done about a session. Only one whose agent has ended is offered to be started again. */
export function SessionMenu({
  session,
  activity,
  onProblem,
}: {
  session: Session;
  activity: SessionState;
  /** Why an agent was not started; empty when it is tried anew. */
  onProblem: (words: string) => void;
}) {
  const mayDrive = useMayDrive();
  const mayRemove = useMayRemove();
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const [asked, setAsked] = useState<keyof typeof DIALOGS>();
  const acts = [
    ...(mayDrive ? [['rename', 'Rename …'] as const] : []),
    ...(mayDrive && activity !== 'exited' ? [['end', 'End the agent …'] as const] : []),
    ...(mayRemove ? [['remove', 'Remove …'] as const] : []),
  ];
  useCommands(acts.map(([name, title]) => ({ title, group: 'This session', run: () => setAsked(name) })));
  if (!mayDrive) return null;
  const item = (name: keyof typeof DIALOGS, words: string) => (
    <button
      key={name}
      type="button"
      className="button quiet"
      onClick={() => {
        menu.current?.hidePopover();
        setAsked(name);
      }}
    >
      {words}
    </button>
  );
  const Asked = asked && DIALOGS[asked];
  return (
    <div className="page-actions">
      {activity === 'exited' && <StartAgain session={session.id} onProblem={onProblem} />}
      <button type="button" className="icon-button" aria-label="Session menu" popoverTarget={id}>
        <MoreIcon />
      </button>
      <div ref={menu} id={id} popover="auto" className="menu">
        {acts.map(([name, words]) => item(name, words))}
      </div>
      {Asked && <Asked session={session} activity={activity} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function StartAgain({ session, onProblem }: { session: string; onProblem: (words: string) => void }) {
  const { api } = useHub();
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    onProblem('');
    await api.restart(session).catch((error: unknown) => onProblem(messageOf(error)));
    setStarting(false);
  };
  const words = isStarting ? 'Starting …' : 'Start again';
  return (
    <button
      type="button"
      className="button"
      aria-label={words}
      disabled={isStarting}
      onClick={() => void start()}
    >
      <RestartIcon /> <span className="only-wide">{words}</span>
    </button>
  );
}
