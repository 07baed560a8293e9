import { useState } from 'react';

/** How this browser likes to see something, there again when the page is loaded anew. Storage that is forbidden forgets it. */
export function useRemembered(name: string, first: string): [string, (choice: string) => void] {
  const key = `signalbox-${name}`;
  const [choice, setChoice] = useState(() => read(key) ?? first);
  const choose = (next: string): void => {
    setChoice(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // It holds until the page is left.
    }
  };
  return [choice, choose];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
