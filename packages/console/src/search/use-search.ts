import type { SearchPage, SearchQuery } from '@signalbox/protocol/hub';
import { useCallback, useEffect, useRef, useState } from 'react';
import { problemWords } from '../model/problem-words.ts';
import { hasWord, typedWords } from '../model/typed-words.ts';
import { useHub } from '../shell/hub-context.ts';

/** So long nothing is typed before the hub is asked. */
const PAUSE_MS = 150;

export type Hit = SearchPage['items'][number];

/** What a search is held to. */
export type SearchFilter = Pick<SearchQuery, 'session' | 'folder' | 'tool' | 'since'>;

/** What was found: `sought` are the words that these hits are for, '' before there are any. */
export interface Found {
  sought: string;
  items: readonly Hit[];
  /** Where the next page begins, when there is one. */
  next: string | undefined;
  isComplete: boolean;
  problem: string;
}

const NOTHING: Found = { sought: '', items: [], next: undefined, isComplete: true, problem: '' };

/** Looks for words as they are typed. What was found before stays until there is something else. */
export function useSearch(
  words: string,
  { session, folder, tool, since }: SearchFilter,
): { found: Found; showMore: (() => void) | undefined } {
  const { api } = useHub();
  const [found, setFound] = useState(NOTHING);
  const current = useRef(0);
  const ask = useCallback(
    (after?: string) => {
      const query = {
        words: typedWords(words),
        ...(session === undefined ? {} : { session }),
        ...(folder === undefined ? {} : { folder }),
        ...(tool === undefined ? {} : { tool }),
        ...(since === undefined ? {} : { since }),
        ...(after === undefined ? {} : { after }),
      };
      return api.ask('GET /api/search', { query });
    },
    [api, words, session, folder, tool, since],
  );
  useEffect(() => {
    current.current += 1;
    const own = current.current;
    const set = (next: Found): void => {
      if (current.current === own) setFound(next);
    };
    if (!hasWord(words)) return set(NOTHING);
    const timer = setTimeout(() => {
      ask().then(
        ({ items, next, isComplete }) => set({ sought: words, items, next, isComplete, problem: '' }),
        (error: unknown) => set({ ...NOTHING, sought: words, problem: problemWords(error) }),
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [ask, words]);
  const { next, sought } = found;
  const showMore =
    next === undefined || sought !== words
      ? undefined
      : () => {
          const own = current.current;
          const add = (change: (before: Found) => Found): void => {
            if (current.current === own) setFound(change);
          };
          // Pressed twice, it would bring the same page twice.
          add((before) => ({ ...before, next: undefined }));
          ask(next).then(
            ({ items, next: later, isComplete }) =>
              add((before) => ({ ...before, isComplete, next: later, items: [...before.items, ...items] })),
            (error: unknown) => add((before) => ({ ...before, next, problem: problemWords(error) })),
          );
        };
  return { found, showMore };
}
