import { t } from '../words/t.ts';

/** The steps of the tour, each over as soon as one has done what it says. */
export const TOUR_STEPS = ['say', 'answer', 'board', 'keys'] as const;

export type TourStep = (typeof TOUR_STEPS)[number];

/** `offered`: nobody has decided yet. */
export type TourState = 'offered' | TourStep | 'over';

/** What the tour says at each step. */
export const TOUR_WORDS: Readonly<Record<TourStep, string>> = t.tour.steps;

/** The step that one is at after what was done. */
export function stepAfter(step: TourStep, { asks, isBoard }: { asks: number; isBoard: boolean }): TourStep {
  if (step === 'say' && asks > 0) return 'answer';
  if (step === 'answer' && asks === 0) return 'board';
  return step === 'board' && isBoard ? 'keys' : step;
}

/** The step that follows, whatever was done. */
export function nextStep(step: TourStep): TourState {
  return TOUR_STEPS[TOUR_STEPS.indexOf(step) + 1] ?? 'over';
}
