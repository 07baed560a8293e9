import { sessionTitle } from '@signalbox/protocol';
import { type ReactNode, useState } from 'react';
import type { Session, SessionGit } from 'signalbox/hub';
import { AskDeck } from '../asks/ask-deck.tsx';
import { askWords } from '../asks/ask-words.ts';
import { modelWords } from '../model/scripted.ts';
import { type Act, type Glance, stopwatch } from '../model/session-glance.ts';
import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { isUnread } from '../sessions/seen.ts';
import { StateDot } from '../sessions/session-list.tsx';
import { go, pathOf } from '../shell/route.ts';
import { money } from '../words/format.ts';
import { t } from '../words/t.ts';

/** What the board knows of one agent. */
export interface BoardRowProps {
  session: Session;
  /** Undefined while nobody looks at it. */
  glance: Glance | undefined;
  now: number;
  seen: Readonly<Record<string, number>>;
  /** Its question is open, unless somebody has closed it. */
  isOpen: boolean;
}

/** One agent: who it is, what it does, what it said last, and what it asks, to be answered here. */
export function BoardRow({ session, glance, now, seen, isOpen }: BoardRowProps) {
  const { act, lastLine = '', costUsd, asks = [] } = glance ?? {};
  const [isAnswering, setAnswering] = useState<boolean>();
  const isDeckOpen = asks.length > 0 && (isAnswering ?? isOpen);
  return (
    <li className="board-row" data-state={session.state}>
      <SessionLink session={session} className="board-line board-cells">
        <StateDot session={session} />
        <span className="board-name">
          <span className="board-title-words" dir="auto">
            {sessionTitle(session)}
          </span>
          {isNewTo(session, seen) && <span className="new-badge">{t.board.isNew}</span>}
        </span>
        <span className="board-folder faint">
          <span className="board-path">{session.folder ? shortFolder(session.folder) : ''}</span>
          {session.git && <Branch git={session.git} />}
        </span>
        <ActWords
          act={act}
          now={now}
          fallback={
            session.budget?.state === 'reached' ? t.board.budgetUsedUp : t.states.session(session).word
          }
        />
        <span className="board-said faint" dir="auto">
          {lastLine || session.lastPrompt || ''}
        </span>
        <span className="board-model faint">{modelWords(session)}</span>
        <span className="board-cost faint">{costUsd ? money(costUsd, 2) : ''}</span>
        <time className="board-age faint">{ago(session.updatedAt, now)}</time>
      </SessionLink>
      {asks.length > 0 && !isDeckOpen && (
        <p className="board-asks">
          <span>{asks.map(askWords).join('. ')}</span>
          <button type="button" className="button" aria-expanded={false} onClick={() => setAnswering(true)}>
            {t.board.answer}
          </button>
        </p>
      )}
      {isDeckOpen && (
        <div className="board-deck">
          <AskDeck asks={asks} title={sessionTitle(session)} folderOf={() => session.folder} />
        </div>
      )}
    </li>
  );
}

/** Whether something happened in a session that nobody has seen in this browser, and is over. */
export function isNewTo(session: Session, seen: BoardRowProps['seen']): boolean {
  return session.state !== 'active' && isUnread(session, seen);
}

/** A press leads to the session; with a key of the browser's own, wherever that leads. */
export function SessionLink({
  session,
  className,
  children,
}: {
  session: Session;
  className: string;
  children: ReactNode;
}) {
  const path = pathOf(session.id);
  return (
    <a
      className={className}
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(path);
      }}
    >
      {children}
    </a>
  );
}

/** The branch, and how it stands. */
function Branch({ git }: { git: SessionGit }) {
  const words = t.states.branch(git);
  return (
    <span className="board-branch" title={words}>
      <span aria-hidden="true">{t.states.branchSigns(git)}</span>
      <span className="unseen">{words}</span>
    </span>
  );
}

/** What an agent does, and for how long. */
export function ActWords({ act, now, fallback }: { act: Act | undefined; now: number; fallback: string }) {
  if (!act) return <span className="board-act faint">{fallback}</span>;
  return (
    <span className="board-act">
      <span className="act-words">{act.words}</span>
      {act.since !== undefined && <span className="faint"> · {stopwatch(now - act.since)}</span>}
    </span>
  );
}
