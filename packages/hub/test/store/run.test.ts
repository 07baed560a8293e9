import { describe, expect, it } from 'vitest';
import { Run } from '../../src/store/sql/run.ts';
import { sampleLine } from './sample-record.ts';

const AUTHOR = Buffer.from('{"by":"hub"}');

function sampleRun(first: number, count: number): Run {
  const lines = Array.from({ length: count }, (_, index) => ({
    time: index,
    bytes: Buffer.from(sampleLine(first + index)),
  }));
  return Run.of(first, lines, AUTHOR, 7);
}

describe('runs of entries', () => {
  it('[LOG29] whichever bit of a run flips, one entry is damaged, and it is known which', () => {
    const { first, count, body, checksum } = sampleRun(11, 5);
    const hit = new Set<number>();
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const flipped = Buffer.from(body);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const damaged = new Run(first, count, flipped, checksum).damaged();
      expect(damaged).toHaveLength(1);
      for (const seq of damaged) hit.add(seq);
    }
    expect(hit).toEqual(new Set([11, 12, 13, 14, 15]));
  });

  it('[LOG29] a run that was cut short, or has another number, is damaged', () => {
    const { first, count, body, checksum } = sampleRun(11, 5);
    expect(new Run(first, count, body, checksum).damaged()).toEqual([]);
    expect(new Run(first, count, body.subarray(0, -1), checksum).damaged()).toEqual([15]);
    expect(new Run(first, count, body.subarray(0, 40), checksum).damaged()).toHaveLength(5);
    expect(new Run(first + 1, count, body, checksum ^ 1).damaged()).toHaveLength(5);
  });

  it('[LOG4] runs that are joined and cut again hold the same entries', () => {
    const joined = Run.join([sampleRun(1, 3), sampleRun(4, 1), sampleRun(5, 6)]);
    expect(joined.damaged()).toEqual([]);
    const part = joined.slice(3, 7);
    expect([part.first, part.count]).toEqual([3, 5]);
    const again = new Run(part.first, part.count, part.body, 0);
    expect(again.damaged()).toEqual([]);
    expect(Array.from({ length: 5 }, (_, index) => Buffer.from(part.line(index)).toString())).toEqual(
      Array.from({ length: 5 }, (_, index) => sampleLine(3 + index)),
    );
  });
});
