import { LIMITS } from '@signalbox/protocol';
import { withoutControls } from './said.ts';
import { StoreArgumentError } from './store-errors.ts';

/** Words that must follow each other; with `isPrefix`, the last may go on. */
export interface SearchTerm {
  text: string;
  isPrefix: boolean;
}

/** What each of them costs grows with all that was ever said: a beginning with every word that it stands for. */
const MAX_PREFIXES = 4;

/** A beginning that is shorter would stand for too many words, and is taken for a word. */
const MIN_PREFIX = 3;

/** What somebody looks for, whatever they typed. Raises `STORE_ARGUMENT` when that has no word. */
export function searchTerms(words: string): SearchTerm[] {
  const terms = [...withoutControls(words).matchAll(/"([^"]*)"?|\S+/g)].flatMap(
    ([typed, quoted]): SearchTerm[] => {
      const text = quoted ?? typed.replace(/\*+$/, '');
      const last = /[\p{L}\p{N}]+$/u.exec(text)?.[0] ?? '';
      const isPrefix = quoted === undefined && typed.endsWith('*') && last.length >= MIN_PREFIX;
      return /[\p{L}\p{N}]/u.test(text) ? [{ text, isPrefix }] : [];
    },
  );
  if (terms.length === 0)
    throw new StoreArgumentError('There is no word to look for: a word has letters or digits');
  const wanted = [...new Map(terms.map((term) => [`${term.isPrefix} ${term.text}`, term])).values()];
  const count = wanted.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0);
  const prefixes = wanted.filter(({ isPrefix }) => isPrefix).length;
  const { most } = LIMITS.searchWords;
  if (count > most || prefixes > MAX_PREFIXES)
    throw new StoreArgumentError(`A search has up to ${most} words, and ${MAX_PREFIXES} with a * among them`);
  return wanted;
}
