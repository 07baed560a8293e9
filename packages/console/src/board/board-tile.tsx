import { sessionTitle } from '@signalbox/protocol';
import { useState } from 'react';
import { AskDeck } from '../asks/ask-deck.tsx';
import { askWords } from '../asks/ask-words.ts';
import { modelWords } from '../model/scripted.ts';
import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { StateDot } from '../sessions/session-list.tsx';
import { money } from '../words/format.ts';
import { t } from '../words/t.ts';
import { ActWords, type BoardRowProps, isNewTo, SessionLink } from './board-row.tsx';

/** One agent at work, live: what it does, and the last lines of what was said and done. */
export function BoardTile({ session, glance, now, seen }: BoardRowProps) {
  const { act, said = [], costUsd, asks = [] } = glance ?? {};
  const [isAnswering, setAnswering] = useState(false);
  // What goes on at the moment has a line of its own.
  const lines = said.at(-1)?.text === act?.words ? said.slice(0, -1) : said;
  return (
    <li className="tile" data-state={session.state} data-open={isAnswering && asks.length > 0}>
      <SessionLink session={session} className="tile-link board-line">
        <span className="tile-head">
          <StateDot session={session} />
          <span className="tile-name" dir="auto">
            {sessionTitle(session)}
          </span>
          {isNewTo(session, seen) && <span className="new-badge">{t.board.isNew}</span>}
          <time className="faint small">{ago(session.updatedAt, now)}</time>
        </span>
        <span className="tile-said">
          {lines.map(({ by, text }, index) => (
            <span key={index} data-by={by} dir="auto">
              {text}
            </span>
          ))}
          {lines.length === 0 && <span className="faint">{session.lastPrompt ?? ''}</span>}
        </span>
        <ActWords
          act={act}
          now={now}
          fallback={
            session.budget?.state === 'reached' ? t.board.budgetUsedUp : t.states.session(session).word
          }
        />
        <span className="tile-foot faint">
          <span>{session.folder ? shortFolder(session.folder) : ''}</span>
          <span>{modelWords(session)}</span>
          <span>{costUsd ? money(costUsd, 2) : ''}</span>
        </span>
      </SessionLink>
      {asks.length > 0 && !isAnswering && (
        <p className="board-asks">
          <span>{asks.map(askWords).join('. ')}</span>
          <button type="button" className="button" aria-expanded={false} onClick={() => setAnswering(true)}>
            {t.board.answer}
          </button>
        </p>
      )}
      {isAnswering && asks.length > 0 && (
        <div className="board-deck">
          <AskDeck asks={asks} title={sessionTitle(session)} folderOf={() => session.folder} />
        </div>
      )}
    </li>
  );
}
