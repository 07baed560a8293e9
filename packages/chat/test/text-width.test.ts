import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { graphemesOf, widthOf } from '../src/text/text-width.ts';

/** All that the quick way may be for, and what lies between. */
const CHARACTERS = Array.from({ length: 0x2800 }, (_, code) => String.fromCharCode(code));

describe('the columns of a text', () => {
  it('[CH3757] are counted as terminals do, in the quick way and in the other: of each character, beside others and under a mark', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    const wrong: unknown[] = [];
    for (const character of CHARACTERS)
      for (const text of [`a${character}└é${character}`, `${character}\u0301`]) {
        const segments = Array.from(segmenter.segment(text), ({ segment }) => segment);
        if (widthOf(text) !== stringWidth(text)) wrong.push([text, widthOf(text), stringWidth(text)]);
        if (graphemesOf(text).length !== segments.length) wrong.push([text, graphemesOf(text), segments]);
      }
    expect(wrong).toEqual([]);
  });
});
