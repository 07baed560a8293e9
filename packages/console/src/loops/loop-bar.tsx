import type { Session } from 'signalbox/hub';
import { standingOf } from '../model/loop-form.ts';
import { useNow } from '../parts/use-now.ts';
import { pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import { LoopActions } from './loop-actions.tsx';
import { useLoop } from './use-loops.ts';

const CLOCK_MS = 1000;

/** Above a session of a loop: how the loop stands, what can be done about it, and the way to the iteration that runs. */
export function LoopBar({ session }: { session: Session }) {
  const loop = useLoop(session.loop?.id);
  const now = useNow(CLOCK_MS);
  if (!loop) return null;
  const { current, reason, state } = loop;
  const isElsewhere = current !== null && current.session !== session.id;
  return (
    <section className="loop-bar" aria-label={t.loops.loop}>
      <p className="loop-standing">
        {t.loops.heading} {standingOf(loop, now)}
        {state !== 'running' && reason && <span className="faint"> · {reason.message}</span>}
        {isElsewhere && (
          <>
            {' '}
            <a href={pathOf(current.session)}>{t.loops.goTo(current.number)}</a>
          </>
        )}
      </p>
      <LoopActions loop={loop} />
    </section>
  );
}
