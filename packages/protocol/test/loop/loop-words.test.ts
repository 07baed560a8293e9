import { iterationWords, loopWords, newLoop } from '@signalbox/protocol/loop';
import { describe, expect, it } from 'vitest';

describe('words about loops', () => {
  it('[LP1156] an iteration and a loop are told in one line', () => {
    const changes = { commits: 1, files: 2, insertions: 10, deletions: 3 };
    expect(
      iterationWords({
        number: 3,
        session: 's',
        step: 'over',
        startedAt: 0,
        endedAt: 125_000,
        how: 'well',
        text: '',
        turns: 4,
        costUsd: 0.12,
        check: 'unmet',
        changes,
      }),
    ).toBe('went well · 4 turns · $0.1200 · 2m 5s · 2 files +10 -3, 1 commit');
    const progress = { ...newLoop(), iteration: 1, turns: 1 };
    expect(loopWords(progress, { maxIterations: 1, durationMs: 4000, changes: null })).toBe(
      '1 of 1 iteration · 1 turn · 4s',
    );
    const unchanged = { commits: 0, files: 0, insertions: 0, deletions: 0 };
    expect(loopWords(progress, { maxIterations: 2, durationMs: 3_780_000, changes: unchanged })).toBe(
      '1 of 2 iterations · 1 turn · 1h 3m · no changes',
    );
  });
});
