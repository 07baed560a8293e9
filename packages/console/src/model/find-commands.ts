import { plainText } from './plain-text.ts';

/** What is found by its words. */
export interface Findable {
  /** What it does, or what it leads to. */
  title: string;
  /** Other words by which people look for it. */
  words?: string;
}

/** The things in which every word occurs, those first whose titles begin with what was typed, then those with a word that does. */
export function findCommands<Thing extends Findable>(things: readonly Thing[], typed: string): Thing[] {
  const sought = plainText(typed).trim();
  const wanted = sought.split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...things];
  return things
    .map((thing) => ({ thing, rank: rankOf(thing, sought, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ thing }) => thing);
}

function rankOf({ title, words = '' }: Findable, sought: string, wanted: readonly string[]): number {
  const name = plainText(title);
  const all = `${name}\n${plainText(words)}`;
  if (!wanted.every((word) => all.includes(word))) return 0;
  if (name.startsWith(sought)) return 4;
  const begins = name.split(/\P{L}+/u);
  if (wanted.every((word) => begins.some((begin) => begin.startsWith(word)))) return 3;
  return wanted.every((word) => name.includes(word)) ? 2 : 1;
}
