/** The steps of the tour, each over as soon as one has done what it says. */
export const TOUR_STEPS = ['say', 'answer', 'board', 'keys'] as const;

export type TourStep = (typeof TOUR_STEPS)[number];

/** `offered`: nobody has decided yet. */
export type TourState = 'offered' | TourStep | 'over';

/** What the tour says at each step. */
export const TOUR_WORDS: Readonly<Record<TourStep, string>> = {
  say: 'A session is one agent at work. This one plays a script and costs nothing: write run below, and press Enter.',
  answer:
    'Before it runs anything, it asks. Read what it would do, then allow it or deny it: A and D do the same.',
  board:
    'All agents are on the board, those that ask first. The name Signalbox, above the list, leads there.',
  keys: 'Ctrl+K finds all that can be done here, and ? shows every key. That is all: have a good journey.',
};

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
