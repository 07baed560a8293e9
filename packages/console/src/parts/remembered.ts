import { useState } from 'react';
import { readOwn, writeOwn } from '../kept/own-storage.ts';

/** How whoever is signed in here likes to see something, there again when the page is loaded anew. */
export function useRemembered(name: string, first: string): [string, (choice: string) => void] {
  const [choice, setChoice] = useState(() => readOwn(name) ?? first);
  const choose = (next: string): void => {
    setChoice(next);
    // Where there is no room it holds until the page is left.
    writeOwn(name, next);
  };
  return [choice, choose];
}
