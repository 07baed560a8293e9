import { useCallback, useEffect, useRef, useState } from 'react';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from './hub-context.ts';

/** Something that is read of the hub. */
export interface Reading<Value> {
  /** Undefined before it was read once. */
  value: Value | undefined;
  /** Why it could not be read; empty when it could. */
  problem: string;
  /** Read it again. */
  look: () => Promise<void>;
}

/**
 * Reads when it begins and whenever `read` is another function, which is to be kept by `useCallback`; and again when the hub has
 * news, while somebody sees it.
 */
export function useReading<Value>(read: () => Promise<Value>): Reading<Value> {
  const [value, setValue] = useState<Value>();
  const [problem, setProblem] = useState('');
  const { news } = useHub();
  const newest = useRef(0);
  const look = useCallback(async (): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    // An answer that was overtaken by a later one says nothing any more.
    const tell = (say: () => void): void => (own === newest.current ? say() : undefined);
    await read().then(
      (found) =>
        tell(() => {
          setValue(found);
          setProblem('');
        }),
      (error: unknown) => tell(() => setProblem(problemWords(error))),
    );
  }, [read]);
  useEffect(() => {
    void look();
  }, [look]);
  // Who comes back to the page is told then.
  useEffect(() => news.subscribe(() => void (document.hidden || look())), [news, look]);
  return { value, problem, look };
}
