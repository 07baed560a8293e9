import { createContext, useEffect, useRef, useState } from 'react';
import { problemWords } from '../model/problem-words.ts';
import { isUndoWanted } from './undo-preference.ts';

/** How long an answer can be taken back, where that is wanted. */
const UNDO_MS = 1500;

/** Takes back what is about to be sent; undefined where nothing is. */
export const UndoContext = createContext<(() => void) | undefined>(undefined);

/** How what somebody decided is sent. */
export interface Sending {
  send: (saying: () => Promise<unknown>) => void;
  /** While it is about to be sent. */
  undo: (() => void) | undefined;
  isSending: boolean;
  problem: string;
}

/** Sends a decision: at once, or after a moment in which it can be taken back. The card goes when the hub says that it is closed. */
export function useSending(): Sending {
  const [state, setState] = useState<'open' | 'held' | 'sending'>('open');
  const [problem, setProblem] = useState('');
  const held = useRef<{ say: () => void; timer: ReturnType<typeof setTimeout> }>(undefined);

  const say = (saying: () => Promise<unknown>): void => {
    held.current = undefined;
    setState('sending');
    saying().catch((error: unknown) => {
      setState('open');
      setProblem(problemWords(error));
    });
  };
  const send = (saying: () => Promise<unknown>): void => {
    setProblem('');
    if (!isUndoWanted()) return say(saying);
    const now = (): void => say(saying);
    held.current = { say: now, timer: setTimeout(now, UNDO_MS) };
    setState('held');
  };
  const undo = (): void => {
    clearTimeout(held.current?.timer);
    held.current = undefined;
    setState('open');
  };

  useEffect(() => {
    // Whoever leaves has decided: what they said must not get lost with the page.
    const flush = (): void => {
      clearTimeout(held.current?.timer);
      held.current?.say();
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
  return { send, undo: state === 'held' ? undo : undefined, isSending: state !== 'open', problem };
}
