import { type ReactNode, useState } from 'react';
import type { Session } from 'signalbox/hub';
import { t } from '../words/t.ts';

/** The sessions that were put away: out of the way, and found again. */
export function PutAwayGroup({
  sessions,
  isSought,
  children,
}: {
  sessions: readonly Session[];
  /** A search has found these: they are in sight. */
  isSought: boolean;
  children: (session: Session) => ReactNode;
}) {
  const [choice, setOpen] = useState(false);
  if (sessions.length === 0) return null;
  const isOpen = choice || isSought;
  return (
    <section className="board-group" aria-label={t.board.putAway}>
      {isSought ? (
        <h2 className="board-title">
          {t.board.putAway} <span className="faint">{sessions.length}</span>
        </h2>
      ) : (
        <button
          type="button"
          className="button quiet put-away"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t.board.hidePutAway : t.board.countPutAway(sessions.length)}
        </button>
      )}
      {isOpen && <ul className="board-rows">{sessions.map(children)}</ul>}
    </section>
  );
}
