import { createContext } from 'react';

/** A message that somebody wants to go back to. */
export interface GoBackPlace {
  of: 'prompt' | 'reply';
  seq: number;
  text: string;
}

/** Asks how to go back to before a prompt, or on from a reply; undefined where nobody may. */
export const GoBackContext = createContext<((place: GoBackPlace) => void) | undefined>(undefined);
