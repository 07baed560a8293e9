import { useEffect, useState } from 'react';
import { hasInOrder } from '../model/file-mention.ts';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';

interface Found {
  paths: readonly string[];
  problem: string;
}

const NOTHING: Found = { paths: [], problem: '' };

/** Somebody who still types is not asked for yet. */
const TYPING_MS = 100;

/** Files of a session's folder for what is typed of a path; undefined query: nothing is typed. */
export function useFoundFiles(session: string, query: string | undefined): Found {
  const { api } = useHub();
  const [found, setFound] = useState<Found>(NOTHING);
  useEffect(() => {
    let isOver = false;
    if (query === undefined) {
      setFound(NOTHING);
      return undefined;
    }
    const tell = (next: Found): void => {
      if (!isOver) setFound(next);
    };
    const timer = setTimeout(() => {
      api.files(session, query).then(
        ({ items }) => tell({ paths: items, problem: '' }),
        (error: unknown) => tell({ paths: [], problem: problemWords(error) }),
      );
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, session, query]);
  if (query === undefined) return NOTHING;
  // Of what was found for fewer letters only what fits: a key that takes the first must not take another file.
  const sought = query.toLowerCase();
  const isWhole = found.paths.includes(query);
  const paths = isWhole ? [] : found.paths.filter((path) => hasInOrder(path.toLowerCase(), sought));
  return { ...found, paths };
}
