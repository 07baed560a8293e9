import { createContext, type MouseEvent, type ReactNode, use } from 'react';

/** Where a card stands among those that are asked. */
export interface CardPlace {
  /** It has just appeared: whoever presses something now meant what was there before. */
  isFresh: boolean;
  /** Keeps such presses from what is inside of it. */
  guard: (event: MouseEvent) => void;
  /** The way to the other cards; null when there are none. */
  pager: ReactNode;
}

export const CardContext = createContext<CardPlace>({ isFresh: false, guard: () => {}, pager: null });

export function useCardPlace(): CardPlace {
  return use(CardContext);
}
