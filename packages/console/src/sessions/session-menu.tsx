import { useId, useRef, useState } from 'react';
import type { Session, SessionState } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { isPutAway } from '../model/put-away.ts';
import { useCommands } from '../palette/commands.ts';
import { MoreIcon, RestartIcon } from '../parts/icons.tsx';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive, useMayRemove } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { EndDialog, RemoveDialog, RenameDialog } from './session-dialogs.tsx';

/** What the hub would take out again at once. */
const AT_WORK: readonly SessionState[] = ['starting', 'active', 'asking', 'terminal'];

const DIALOGS = { rename: RenameDialog, end: EndDialog, remove: RemoveDialog };

/** What can be done about a session. Only one whose agent has ended is offered to be started again. */
export function SessionMenu({
  session,
  activity,
  onDetails,
  onProblem,
}: {
  session: Session;
  activity: SessionState;
  onDetails: () => void;
  /** Why an agent was not started; empty when it is tried anew. */
  onProblem: (words: string) => void;
}) {
  const mayDrive = useMayDrive();
  const mayRemove = useMayRemove();
  const { api } = useHub();
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const [asked, setAsked] = useState<keyof typeof DIALOGS>();
  const ask = (name: keyof typeof DIALOGS) => () => setAsked(name);
  const putAway = (): void => {
    onProblem('');
    api.archive(session.id, !isPutAway(session)).catch((error: unknown) => onProblem(problemWords(error)));
  };
  const isAtWork = AT_WORK.includes(activity);
  const acts: readonly (readonly [title: string, run: () => void])[] = [
    [t.sessions.renameAsk, ask('rename')],
    ...(isAtWork ? [] : ([[isPutAway(session) ? t.sessions.takeOut : t.sessions.putAway, putAway]] as const)),
    ...(activity === 'exited' ? [] : ([[t.sessions.endAsk, ask('end')]] as const)),
    ...(mayRemove ? ([[t.common.removeAsk, ask('remove')]] as const) : []),
  ];
  useCommands(mayDrive ? acts.map(([title, run]) => ({ title, group: 'session', run })) : []);
  if (!mayDrive) return null;
  const Asked = asked && DIALOGS[asked];
  return (
    <div className="page-actions">
      {activity === 'exited' && <StartAgain session={session.id} onProblem={onProblem} />}
      <button type="button" className="icon-button" aria-label={t.sessions.menu} popoverTarget={id}>
        <MoreIcon />
      </button>
      <div ref={menu} id={id} popover="auto" className="menu">
        {[...acts, [t.sessions.details, onDetails] as const].map(([words, run]) => (
          <button
            key={words}
            type="button"
            // With room there is a tab for them.
            className={run === onDetails ? 'button quiet only-narrow' : 'button quiet'}
            onClick={() => {
              menu.current?.hidePopover();
              run();
            }}
          >
            {words}
          </button>
        ))}
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
    await api.restart(session).catch((error: unknown) => onProblem(problemWords(error)));
    setStarting(false);
  };
  const words = isStarting ? t.sessions.starting : t.sessions.startAgain;
  useCommands(
    isStarting
      ? []
      : [{ title: words, words: t.sessions.startAgainWords, group: 'session', run: () => void start() }],
  );
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
