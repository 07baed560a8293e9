import type { Excerpt } from '@signalbox/protocol/hub';
import type { SearchTerm } from './search-terms.ts';

/** How much of a text is shown around what was found. */
const AROUND = 80;

/** A word of a text, and where it is. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/** The first place of each term, and what stands around them; undefined when one is missing. */
export function excerptAround(text: string, terms: readonly SearchTerm[]): Excerpt | undefined {
  const words = wordsIn(text);
  const places = terms.map((term) => placeOf(words, term));
  const found = places
    .filter((place) => place !== undefined)
    .toSorted((one, other) => one.start - other.start);
  const [first] = found;
  if (found.length < terms.length || !first) return undefined;
  const from = Math.max(0, first.start - AROUND);
  const parts: Excerpt = [];
  let at = from;
  for (const { start, end } of found) {
    if (start < at) continue;
    parts.push(
      { text: text.slice(at, start), isMatch: false },
      { text: text.slice(start, end), isMatch: true },
    );
    at = end;
  }
  parts.push({ text: text.slice(at, at + AROUND), isMatch: false });
  return parts
    .map((part) => ({ ...part, text: part.text.replace(/\s+/g, ' ') }))
    .filter((part) => part.text !== '');
}

function placeOf(
  words: readonly Word[],
  { text, isPrefix }: SearchTerm,
): { start: number; end: number } | undefined {
  const wanted = wordsIn(text);
  const at = words.findIndex((_, index) =>
    wanted.every((word, offset) => {
      const there = words[index + offset]?.text;
      return isPrefix && offset === wanted.length - 1 ? there?.startsWith(word.text) : there === word.text;
    }),
  );
  const [first, last] = [words[at], words[at + wanted.length - 1]];
  return first && last && { start: first.start, end: last.end };
}

/** The words of a text: letters and digits, without case and accents. */
export function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
