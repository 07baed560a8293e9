import { hasMoreValues } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { randomJson } from './random-json.ts';

/** Names, texts, commas, colons and beginnings, as they are counted. */
function marksIn(json: string): number {
  return (json.match(/"(?:[^"\\]|\\.)*"|[{[,:]/gs) ?? []).length;
}

describe('the values of JSON', () => {
  it('[ND3810] are counted as they are, wherever quotes and backslashes stand', () => {
    const seed = Math.floor(Math.random() * 1e9);
    const random = new SeededRandom(seed);
    for (let round = 0; round < 300; round += 1) {
      const far = 'x'.repeat(random.below(300));
      const json = JSON.stringify([
        far,
        randomJson(random),
        `${far}\\"`,
        far,
        '\n'.repeat(random.below(200)),
        far,
      ]);
      const marks = marksIn(json);
      for (const most of [marks - 1, marks, marks + 1])
        expect(hasMoreValues(json, most), `seed ${seed}, ${most} of ${json}`).toBe(
          json.length > 2 * most && marks > most,
        );
    }
  });

  it.each([
    ['backslashes and no quote', 'a\n'.repeat(7_000_000)],
    ['quotes and no backslash', Array.from({ length: 99_000 }, () => 'x'.repeat(200))],
  ])('[ND3810] take no longer for %s: nothing is searched for twice', (_name, value) => {
    expect(hasMoreValues(JSON.stringify(value), 200_000)).toBe(false);
  });
});
