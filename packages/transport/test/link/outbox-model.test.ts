import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { Outbox } from '../../src/link/outbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

const STEPS = 400;

/** More bytes than any line has; limits may be passed by one. */
const LONGEST = 1300;

const SEEDS = Array.from({ length: 10 }, (_, n) => n + 1);

describe('outbox, beside a list', () => {
  it.each(SEEDS)('[LK15] any order of calls does what it does to a list (seed %i)', (seed) => {
    const random = new SeededRandom(seed);
    const memoryBytes = 50 + random.below(500);
    const maxBytes = random.below(3000);
    const directory = temporaryFolder();
    const outbox = new Outbox({
      memoryBytes,
      ...(random.chance(70) ? { spill: { directory, maxBytes } } : {}),
    });
    const model: string[] = [];
    let first = 1;
    for (let step = 0; step < STEPS; step += 1) {
      if (random.chance(60) && !outbox.isFull) {
        const text = `${step}${'é'.repeat(random.below(random.chance(90) ? 30 : 600))}`;
        model.push(text);
        expect(outbox.append(random.chance(50) ? text : Buffer.from(text))).toBe(model.length);
      } else if (random.chance(20)) {
        const last = random.below(model.length + 3);
        outbox.release(last);
        first = Math.max(first, Math.min(last, model.length) + 1);
      }
      const number = first + random.below(model.length - first + 3);
      const batch = outbox.read(number, random.below(200)).map(String);
      expect(batch).toEqual(model.slice(number - 1, number - 1 + batch.length));
      expect(batch.length > 0).toBe(number <= model.length);
      expect([outbox.first, outbox.last]).toEqual([first, model.length]);
      expectWeight(outbox, model, number);
      if (outbox.weight <= memoryBytes) expect(outbox.isFull).toBe(false);
      const onDisk = bytesIn(directory);
      expect(onDisk).toBeLessThanOrEqual(maxBytes + LONGEST);
      expect(outbox.weight - onDisk).toBeLessThanOrEqual(1.5 * memoryBytes + LONGEST);
    }
    outbox.release(outbox.last);
    expect([outbox.weight, outbox.weightFrom(1), outbox.isFull]).toEqual([0, 0, false]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** A letter outside of ASCII weighs one in memory as text, and its two bytes otherwise. */
function expectWeight(outbox: Outbox, model: readonly string[], number: number): void {
  const rest = model.slice(number - 1);
  const least = rest.reduce((sum, text) => sum + text.length + 1, 0);
  const most = rest.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  const weight = outbox.weightFrom(number);
  expect(weight).toBeGreaterThanOrEqual(least);
  expect(weight).toBeLessThanOrEqual(most);
}
