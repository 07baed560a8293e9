import { createContext } from 'react';

/** A prompt that somebody wants to go back to. */
export interface PromptPlace {
  seq: number;
  text: string;
}

/** Asks how to go back to before a prompt; undefined where nobody may. */
export const GoBackContext = createContext<((prompt: PromptPlace) => void) | undefined>(undefined);
