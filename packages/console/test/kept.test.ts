import { sampleSession, snapshot } from '@signalbox/testing/hub/sample-session';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_TAIL_CHARACTERS, MAX_TAIL_ENTRIES, tailToKeep } from '../src/kept/kept-data.ts';
import { News } from '../src/live/news.ts';
import { isOtherPage } from '../src/model/page-version.ts';
import { SessionGlance } from '../src/model/session-glance.ts';
import { SessionModel } from '../src/model/session-model.ts';
import { nextStep, stepAfter } from '../src/model/tour.ts';
import { ADA, entry, prompt } from './sample.ts';

function restored(): SessionModel {
  const model = new SessionModel();
  const entries = [4, 5].map((seq) => entry(seq, prompt(`n${seq}`), ADA));
  model.restore({ session: sampleSession({ state: 'asking' }), entries, trimmed: 2, usedAt: 77 });
  return model;
}

function words({ screen }: SessionModel): string[] {
  return (screen?.groups ?? []).flatMap(({ items }) =>
    items.map((item) => ('text' in item ? item.text : '')),
  );
}

describe('what a browser keeps of a session', () => {
  it('[CO2400] is shown with its time and without questions, and goes on from its cursor with nothing twice', () => {
    const model = restored();
    expect(model.screen).toMatchObject({ keptAt: 77, asks: [], first: 4, next: 6, hasEarlier: true });
    model.hear(snapshot(6, 6));
    expect(model.screen?.keptAt).toBeUndefined();
    for (const seq of [5, 6]) model.hear(entry(seq, prompt(`n${seq}`), ADA));
    expect(words(model)).toEqual(['n4', 'n5', 'n6']);
  });

  it('[CO2362] says how full the conversation is, as its last replies did', () => {
    const model = new SessionModel();
    const usage = { input_tokens: 90, output_tokens: 10 };
    const entries = [
      entry(1, { type: 'assistant', message: { id: 'm', content: [], usage } }),
      entry(2, { type: 'result', modelUsage: { opus: { inputTokens: 90, contextWindow: 200 } } }),
    ];
    model.restore({ session: sampleSession(), entries, trimmed: 0, usedAt: 1 });
    expect(model.screen?.facts).toMatchObject({ contextTokens: 100, contextWindow: 200 });
  });

  it('[CO2401] goes with a reset, and never takes the place of what the hub has told', () => {
    const model = restored();
    model.hear({ type: 'reset', session: 's', reason: 'rewritten', last: 1 });
    model.hear(snapshot(1, 1));
    model.hear(entry(1, prompt('the truth'), ADA));
    expect(words(model)).toEqual(['the truth']);
    model.restore({ session: sampleSession(), entries: [entry(9, prompt('late'))], trimmed: 0, usedAt: 1 });
    expect(words(model)).toEqual(['the truth']);
  });

  it('[CO2402] is its last entries, as far as there is room, without a gap', () => {
    const many = Array.from({ length: MAX_TAIL_ENTRIES + 5 }, (_, at) => entry(at + 1, prompt('x'), ADA));
    expect(tailToKeep(many)).toEqual(many.slice(5));
    const long = entry(2, prompt('x'.repeat(MAX_TAIL_CHARACTERS)), ADA);
    expect(tailToKeep([entry(1, prompt('a')), long, entry(3, prompt('b'))]).map(({ seq }) => seq)).toEqual([
      3,
    ]);
    expect(tailToKeep([long])).toEqual([]);
  });

  it('[CO2400] has the last line of each agent for the board until the agent says another', () => {
    const glance = new SessionGlance({ lastLine: 'All tests pass', costUsd: 0.5 });
    expect(glance.glance).toMatchObject({ lastLine: 'All tests pass', costUsd: 0.5, asks: [] });
    glance.hear({ type: 'reset', session: 's', reason: 'ahead', last: 0 });
    expect(glance.glance.lastLine).toBe('');
  });
});

describe('news of the hub', () => {
  it('[CO2403] are told at once after a break, and while agents work once in a while', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const news = new News(5000);
    let told = 0;
    const end = news.subscribe(() => (told += 1));
    for (let count = 0; count < 10; count += 1) news.tellSoon();
    expect(told).toBe(0);
    vi.advanceTimersByTime(5000);
    expect(told).toBe(1);
    news.tellSoon();
    news.tell();
    vi.advanceTimersByTime(60_000);
    expect(told).toBe(2);
    end();
    news.tell();
    expect(told).toBe(2);
  });
});

describe('the version of a page', () => {
  it('[CO2404] is another one when the hub serves another script, and not when something else answers', () => {
    const page = '<script type="module" crossorigin src="/assets/index-B.js"></script>';
    expect(isOtherPage(page, '/assets/index-A.js')).toBe(true);
    expect(isOtherPage(page, '/assets/index-B.js')).toBe(false);
    expect(isOtherPage('<h1>Sign in to the proxy</h1>', '/assets/index-A.js')).toBe(false);
  });
});

describe('the tour', () => {
  it('[CO2413] goes on by what one does, or step by step, and ends', () => {
    expect(stepAfter('say', { asks: 0, isBoard: true })).toBe('say');
    expect(stepAfter('say', { asks: 1, isBoard: false })).toBe('answer');
    expect(stepAfter('answer', { asks: 1, isBoard: false })).toBe('answer');
    expect(stepAfter('answer', { asks: 0, isBoard: false })).toBe('board');
    expect(stepAfter('board', { asks: 0, isBoard: true })).toBe('keys');
    expect(nextStep('say')).toBe('answer');
    expect(nextStep('keys')).toBe('over');
  });
});
