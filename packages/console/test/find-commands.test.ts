import { describe, expect, it } from 'vitest';
import { findCommands } from '../src/model/find-commands.ts';
import { wordPlaces } from '../src/model/word-places.ts';

const THINGS = [
  { title: 'Rename …' },
  { title: 'End the agent …' },
  { title: 'Mode: plans only', words: 'plan permission' },
  { title: 'Menü des Cafés', words: '/srv/café' },
  { title: 'Terminal', words: 'tab' },
  { title: 'Determine the mode of failure' },
];

describe('the commands of the palette', () => {
  const found = (typed: string): string[] => findCommands(THINGS, typed).map(({ title }) => title);

  it('[CO2040] are all there before anything is typed, in their order', () => {
    expect(found('')).toEqual(THINGS.map(({ title }) => title));
    expect(found('  ')).toHaveLength(THINGS.length);
  });

  it('[CO2040] are found by every word, whatever its case and accents, the best first', () => {
    expect(found('term')).toEqual(['Terminal', 'Determine the mode of failure']);
    expect(found('MODE')).toEqual(['Mode: plans only', 'Determine the mode of failure']);
    expect(found('agent end')).toEqual(['End the agent …']);
    expect(found('cafe')).toEqual(['Menü des Cafés']);
    expect(found('permission plan')).toEqual(['Mode: plans only']);
    expect(found('nothing like it')).toEqual([]);
  });
});

describe('the words that are marked', () => {
  it('[CO2042] are those that begin with what was typed, whatever their case', () => {
    expect(wordPlaces('Zebras cross; the zebra, not azebra', 'zebra')).toEqual([
      [0, 5],
      [18, 23],
    ]);
    expect(wordPlaces('one two three', 'two "thr')).toEqual([
      [4, 7],
      [8, 11],
    ]);
    expect(wordPlaces('a.b a+b', '.*')).toEqual([]);
    expect(wordPlaces('İstanbul', 'stan')).toEqual([]);
  });
});
