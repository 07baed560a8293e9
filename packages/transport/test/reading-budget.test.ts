import { describe, expect, it } from 'vitest';
import { type Reading, ReadingBudget } from '../src/reading-budget.ts';

const MIB = 1024 * 1024;

/** A connection that notes what it is told. */
function connection(budget: ReadingBudget): { reading: Reading; told: string[] } {
  const told: string[] = [];
  const reading = budget.begin({
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
    cut: () => told.push('cut'),
  });
  return { reading, told };
}

describe('memory for long messages', () => {
  it('[TR430] is given to whoever came first: the others wait until it was dealt with, and short ones never do', () => {
    const budget = new ReadingBudget({ mostBytes: 10 * MIB });
    const [first, second, short] = [connection(budget), connection(budget), connection(budget)];
    first.reading.add(6 * MIB);
    second.reading.add(6 * MIB);
    short.reading.add(256 * 1024);
    first.reading.add(20 * MIB);
    expect([first.told, second.told, short.told]).toEqual([[], ['pause'], []]);
    first.reading.complete();
    expect(second.told).toEqual(['pause']);
    first.reading.release();
    expect(second.told).toEqual(['pause', 'resume']);
  });

  it('[TR430] is not given to the next message of one whose last was not dealt with, and comes back with its end', () => {
    const budget = new ReadingBudget({ mostBytes: 10 * MIB });
    const [first, second] = [connection(budget), connection(budget)];
    first.reading.add(11 * MIB);
    first.reading.complete();
    first.reading.add(1);
    expect(first.told).toEqual(['pause']);
    first.reading.release();
    expect(first.told).toEqual(['pause', 'resume']);
    first.reading.add(11 * MIB);
    second.reading.add(2 * MIB);
    expect(second.told).toEqual(['pause']);
    first.reading.end();
    expect(second.told).toEqual(['pause', 'resume']);
  });

  it('[TR430] is taken from one that brings nothing while others wait', async () => {
    const budget = new ReadingBudget({ mostBytes: 10 * MIB, stalledMs: 1 });
    const waiting = connection(budget);
    await new Promise<void>((cut) => {
      const stalled = budget.begin({ pause: () => {}, resume: () => {}, cut });
      stalled.add(11 * MIB);
      waiting.reading.add(2 * MIB);
    });
    expect(waiting.told).toEqual(['pause', 'resume']);
  });

  it('[TR550] is taken at once from all that bring nothing, or a byte now and then, but not from those that were told to wait', async () => {
    const budget = new ReadingBudget({ mostBytes: 10 * MIB, stalledMs: 1 });
    const waiting = connection(budget);
    const stalled = ['a byte', 'nothing', 'nothing'].map(
      (brings) =>
        new Promise<string>((resolve) => {
          const reading = budget.begin({ pause: () => {}, resume: () => {}, cut: () => resolve(brings) });
          reading.add(3 * MIB);
          if (brings === 'a byte') setInterval(() => reading.add(1), 1).unref();
        }),
    );
    waiting.reading.add(2 * MIB);
    expect(await Promise.all(stalled)).toEqual(['a byte', 'nothing', 'nothing']);
    expect(waiting.told).toEqual(['pause', 'resume']);
  });
});
