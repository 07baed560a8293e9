import { MAX_SEARCH_HITS, type SearchQuery } from '@signalbox/protocol/hub';
import { wordsIn } from '../../excerpt.ts';
import { SEARCH_HITS } from '../../search.ts';
import type { SearchTerm } from '../../search-terms.ts';
import { StoreArgumentError } from '../../store-errors.ts';

/** A lexeme has at most 2 KiB; so much of a word tells it from others. */
const WORD_LENGTH = 200;

/** Positions of words end here: `tsvector` counts no further. */
const MAX_POSITION = 16_383;

/** A text as the words by which PostgreSQL finds it: our own, so that every kind of store finds the same. */
export function vectorOf(text: string): string {
  const places = new Map<string, number[]>();
  for (const [index, { text: word }] of wordsIn(text).entries()) {
    const known = places.get(lexeme(word)) ?? [];
    known.push(Math.min(index + 1, MAX_POSITION));
    places.set(lexeme(word), known);
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}

/** What is looked for, as PostgreSQL takes it: all terms must occur, the words of each next to each other. */
export function tsqueryOf(terms: readonly SearchTerm[]): string {
  return terms
    .map(({ text, isPrefix }) => {
      const words = wordsIn(text);
      const parts = words.map(({ text: word }, index) => {
        const isLast = index === words.length - 1;
        return `'${lexeme(word)}'${isLast && isPrefix ? ':*' : ''}`;
      });
      return `(${parts.join(' <-> ')})`;
    })
    .join(' & ');
}

function lexeme(word: string): string {
  return word.slice(0, WORD_LENGTH);
}

/** Where a page begins: behind a piece of a time. */
export interface SaidPage {
  time: number;
  number: number;
  limit: number;
}

/** Raises `STORE_ARGUMENT`. */
export function saidPage({ after, limit = SEARCH_HITS }: SearchQuery): SaidPage {
  const [time, number] = (after ?? `${Number.MAX_SAFE_INTEGER}_0`).split('_').map(Number);
  if (!Number.isFinite(time) || !Number.isSafeInteger(number))
    throw new StoreArgumentError(`There is no page after ${after}`);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new StoreArgumentError(`A page cannot have ${limit} items`);
  return { time: time ?? 0, number: number ?? 0, limit: Math.min(limit, MAX_SEARCH_HITS) };
}
