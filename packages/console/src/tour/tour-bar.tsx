import { useEffect } from 'react';
import { nextStep, stepAfter, TOUR_STEPS, TOUR_WORDS } from '../model/tour.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { setTour, useTour } from './tour-state.ts';

/** A first look around, on the built-in model: a line above what it speaks of, which goes on by what one does. */
export function TourBar({
  asks,
  isBoard = false,
  isOffered = false,
}: {
  /** How much is asked where one is. */
  asks: number;
  isBoard?: boolean;
  /** Whether this is a place to begin at. */
  isOffered?: boolean;
}) {
  const state = useTour();
  const mayDrive = useMayDrive();
  useEffect(() => {
    if (state === 'offered' || state === 'over') return;
    const next = stepAfter(state, { asks, isBoard });
    if (next !== state) setTour(next);
  }, [state, asks, isBoard]);
  if (state === 'over' || !mayDrive) return null;
  if (state === 'offered') {
    if (!isOffered) return null;
    return (
      <section className="tour-bar" aria-label={t.tour.tour}>
        <p>{t.tour.offer}</p>
        <button type="button" className="button" onClick={() => setTour('say')}>
          {t.tour.yes}
        </button>
        <button type="button" className="button quiet" onClick={() => setTour('over')}>
          {t.tour.no}
        </button>
      </section>
    );
  }
  const isLast = nextStep(state) === 'over';
  return (
    <section className="tour-bar" aria-label={t.tour.tour}>
      <p aria-live="polite">
        <span className="faint">{t.tour.step(TOUR_STEPS.indexOf(state) + 1, TOUR_STEPS.length)}</span>{' '}
        {TOUR_WORDS[state]}
      </p>
      <button type="button" className="button" onClick={() => setTour(nextStep(state))}>
        {isLast ? t.tour.done : t.common.next}
      </button>
      {!isLast && (
        <button type="button" className="button quiet" onClick={() => setTour('over')}>
          {t.tour.skip}
        </button>
      )}
    </section>
  );
}
