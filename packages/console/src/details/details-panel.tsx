import type { Session, SessionState } from 'signalbox/hub';
import { type Command, useCommands } from '../palette/commands.ts';
import { useRemembered } from '../parts/remembered.ts';
import { t } from '../words/t.ts';
import { HooksView } from './hooks-view.tsx';
import { LinesView } from './lines-view.tsx';
import { ServersView } from './servers-view.tsx';

const PARTS = [
  ['servers', t.details.servers],
  ['hooks', t.details.hooks],
  ['lines', t.details.rawLines],
] as const;

/** What is behind a session: for those who set agents up, or build them. */
export default function DetailsPanel({
  session,
  activity,
  next,
}: {
  session: Session;
  activity: SessionState;
  /** The number of the entry that comes next. */
  next: number;
}) {
  const [chosen, choose] = useRemembered('details', 'servers');
  const part = PARTS.find(([name]) => name === chosen)?.[0] ?? 'servers';
  useCommands(
    PARTS.filter(([name]) => name !== part).map(
      ([name, title]): Command => ({ title, group: 'session', run: () => choose(name) }),
    ),
  );
  return (
    <div className="details">
      <div className="details-parts" role="tablist" aria-label={t.details.title}>
        {PARTS.map(([name, words]) => (
          <button
            key={name}
            type="button"
            role="tab"
            className="details-part"
            aria-selected={name === part}
            onClick={() => choose(name)}
          >
            {words}
          </button>
        ))}
      </div>
      {part === 'servers' && <ServersView session={session.id} activity={activity} />}
      {part === 'hooks' && <HooksView session={session.id} activity={activity} next={next} />}
      {part === 'lines' && <LinesView session={session.id} next={next} />}
    </div>
  );
}
