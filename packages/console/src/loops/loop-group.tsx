import { type ReactNode, useId, useState } from 'react';
import type { Loop, Session } from 'signalbox/hub';
import { standingOf } from '../model/loop-form.ts';
import { t } from '../words/t.ts';
import { LoopActions } from './loop-actions.tsx';
import { OtherIterations } from './other-iterations.tsx';

/** A loop on the board, with its sessions: the newest in sight, the others on demand. */
export function LoopGroup({
  loop,
  sessions,
  now,
  isFound,
  children,
}: {
  loop: Loop;
  /** Newest iteration first. */
  sessions: readonly Session[];
  now: number;
  /** A search has found these: they are all in sight. */
  isFound: boolean;
  children: (session: Session) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const title = useId();
  const { spec, iteration, state, reason } = loop;
  const isAsking = ({ state: is }: Session): boolean => is === 'asking';
  const [first, ...others] = sessions.toSorted(
    (one, other) => Number(isAsking(other)) - Number(isAsking(one)),
  );
  const shown = isOpen || isFound ? others : others.filter(isAsking);
  return (
    <section className="board-group loop" aria-labelledby={title} data-state={state}>
      <header className="loop-head">
        <h2 id={title} className="board-title" dir="auto">
          {spec.title} · {iteration}/{spec.maxIterations}
        </h2>
        <p className="loop-standing faint">
          {t.loops.heading} {standingOf(loop, now)}
          {state !== 'running' && reason && ` · ${reason.message}`}
        </p>
        <LoopActions loop={loop} />
      </header>
      {first && (
        <ul className="board-rows">
          {children(first)}
          {shown.map(children)}
          {others.length > 0 && !isFound && (
            <li className="board-row">
              <OtherIterations count={others.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
