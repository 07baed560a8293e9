import type { EntryMessage, PermissionRequest, Prompt } from '@signalbox/protocol/hub';
import { snapshot } from '@signalbox/testing/hub/sample-session';
import { describe, expect, it } from 'vitest';
import type { Item } from '../src/model/item.ts';
import { MAX_KEPT_ENTRIES } from '../src/model/record-window.ts';
import { SessionModel } from '../src/model/session-model.ts';
import { ADA, answered, call, entry, prompt, said, text, writing } from './sample.ts';

function itemsOf({ screen }: SessionModel): Item[] {
  return (screen?.groups ?? []).flatMap(({ items }) => items);
}

function words(model: SessionModel): string[] {
  const plain = (item: Item): string =>
    item.kind === 'text' || item.kind === 'prompt' ? item.text : item.kind;
  return itemsOf(model).map(plain);
}

function preview(message: unknown): { type: 'preview'; session: string; message: unknown } {
  return { type: 'preview', session: 's', message };
}

describe('a session on the screen', () => {
  it('[CO8] doubles nothing when the connection comes back in the middle of a reply', () => {
    const model = new SessionModel();
    model.hear(snapshot(1, 1));
    model.hear(entry(1, prompt('go'), ADA));
    for (const event of writing(['one ', 'two '])) model.hear(preview(event));
    expect(words(model)).toEqual(['go', 'one two ']);
    model.hear(snapshot(2, 1));
    expect(words(model)).toEqual(['go']);
    for (const event of writing(['one ', 'two ', 'three'])) model.hear(preview(event));
    expect(words(model)).toEqual(['go', 'one two three']);
    model.hear(entry(1, prompt('go'), ADA));
    model.hear(entry(2, said(text('one two three four'))));
    expect(words(model)).toEqual(['go', 'one two three four']);
  });

  it('[CO8] begins anew when the hub cannot go on where it was', () => {
    const model = new SessionModel();
    model.hear(snapshot(1, 1));
    model.hear(entry(1, prompt('old'), ADA));
    model.hear({ type: 'reset', session: 's', reason: 'rewritten', last: 9 });
    model.hear(snapshot(8, 9));
    model.hear(entry(8, prompt('new'), ADA));
    expect(words(model)).toEqual(['new']);
    expect(model.screen).toMatchObject({ first: 8, hasEarlier: true });
  });

  it('[CO2007] knows that nothing comes before what the hub keeps', () => {
    const model = new SessionModel();
    model.hear({ ...snapshot(8, 9), trimmed: 7 });
    model.hear(entry(8, prompt('first that is left'), ADA));
    expect(model.screen).toMatchObject({ first: 8, hasEarlier: false, trimmed: 7 });
  });

  it('[CO1000] forgets nothing but by a reset: neither with a snapshot after a break, nor what an earlier record was read for', () => {
    const model = new SessionModel();
    model.hear(snapshot(3, 5));
    for (const seq of [3, 4, 5]) model.hear(entry(seq, prompt(`n${seq}`), ADA));
    // The hub was restarted: it goes on after the cursor.
    const { place } = model;
    model.hear(snapshot(6, 5));
    expect(words(model)).toEqual(['n3', 'n4', 'n5']);
    model.prepend([entry(2, prompt('n2'), ADA)], place);
    expect(words(model)).toEqual(['n2', 'n3', 'n4', 'n5']);
    model.hear({ type: 'reset', session: 's', reason: 'rewritten', last: 1 });
    model.hear(snapshot(2, 2));
    model.hear(entry(2, prompt('other'), ADA));
    model.prepend([entry(1, prompt('of the record before'), ADA)], place);
    expect(words(model)).toEqual(['other']);
  });

  it('[CO9] opens at the tail, and puts earlier parts in front of what is there', () => {
    const model = new SessionModel();
    model.hear(snapshot(3, 4));
    model.hear(entry(3, answered('t1', 'late result')));
    model.hear(entry(4, said(text('end'))));
    for (const event of writing(['live'], 0, 'm9')) model.hear(preview(event));
    expect(words(model)).toEqual(['end', 'live']);
    model.prepend([
      entry(1, prompt('start'), ADA),
      entry(2, said(call('t1', 'Bash'), 'm0')),
      entry(3, 'again'),
    ]);
    expect(words(model)).toEqual(['start', 'call', 'end', 'live']);
    expect(itemsOf(model)[1]).toMatchObject({ state: 'done', result: { text: 'late result' } });
    expect(model.screen).toMatchObject({ first: 1, hasEarlier: false });
  });

  it('[CO9] draws nothing again that has not changed', () => {
    const model = new SessionModel();
    model.hear(snapshot(101, 400));
    for (let seq = 101; seq <= 400; seq += 1) model.hear(entry(seq, said(text(`entry ${seq}`), `m${seq}`)));
    const before = model.screen?.groups ?? [];
    for (const event of writing(['more'])) model.hear(preview(event));
    model.prepend([entry(99, said(text('entry 99'), 'm99')), entry(100, said(text('entry 100'), 'm100'))]);
    const after = model.screen?.groups ?? [];
    expect(after.filter((group) => before.includes(group))).toHaveLength(before.length - 2);
    expect(words(model).length).toBe(303);
  });

  it('[CO9] keeps no more of a record than it says', () => {
    const model = new SessionModel();
    model.hear(snapshot(1, 0));
    for (let seq = 1; seq <= MAX_KEPT_ENTRIES + 1; seq += 1) model.hear(entry(seq, prompt(String(seq)), ADA));
    expect(model.screen?.first).toBeGreaterThan(1);
    expect(words(model).at(-1)).toBe(String(MAX_KEPT_ENTRIES + 1));
  });

  it('[CO265] is read back to its very start, and forth to its end, with no more kept than it says', () => {
    const last = MAX_KEPT_ENTRIES + 5000;
    const between = (from: number, to: number): EntryMessage[] =>
      Array.from({ length: to - from }, (_, at) => entry(from + at, prompt(String(from + at)), ADA));
    const model = new SessionModel();
    model.hear(snapshot(last - 199, last));
    for (const newest of between(last - 199, last + 1)) model.hear(newest);
    model.isReading = true;
    while (model.screen?.hasEarlier) {
      const { first } = model.place;
      model.prepend(between(Math.max(1, first - 500), first));
      expect(words(model).length).toBeLessThanOrEqual(MAX_KEPT_ENTRIES);
    }
    expect(words(model)[0]).toBe('1');
    expect(model.screen?.hasLater).toBe(true);
    // What comes meanwhile is neither lost nor put in a wrong place.
    model.hear(entry(last + 1, prompt('news'), ADA));
    for (const event of writing(['half a reply'])) model.hear(preview(event));
    expect(words(model).at(-1)).not.toBe('half a reply');
    while (model.screen?.hasLater) {
      const { end, next } = model.place;
      const chunk = between(end, Math.min(end + 500, last + 1));
      model.append(end + 500 > last ? [...chunk, entry(last + 1, prompt('news'), ADA)] : chunk);
      expect(words(model).length).toBeLessThanOrEqual(MAX_KEPT_ENTRIES);
      expect(next).toBe(last + 2);
    }
    expect(words(model).slice(-2)).toEqual([String(last), 'news']);
    model.hear(entry(last + 2, prompt('and more'), ADA));
    expect(words(model).at(-1)).toBe('and more');
  });

  it('[CO265] keeps what is being read when there is no more room, and goes to its end at once', () => {
    const model = new SessionModel();
    model.hear(snapshot(1, 0));
    model.isReading = true;
    const count = MAX_KEPT_ENTRIES + 100;
    for (let seq = 1; seq <= count; seq += 1) model.hear(entry(seq, prompt(String(seq)), ADA));
    expect(model.screen).toMatchObject({ first: 1, hasLater: true });
    model.moveTo([entry(count - 1, prompt('the last but one'), ADA), entry(count, prompt('the last'), ADA)]);
    expect(model.screen).toMatchObject({ first: count - 1, hasEarlier: true, hasLater: false });
    expect(words(model)).toEqual(['the last but one', 'the last']);
  });

  it('[CO10] shows what is asked and what waits for as long as that is so', () => {
    const model = new SessionModel();
    model.hear(snapshot(1, 0));
    const permission: PermissionRequest = {
      session: 's',
      requestId: 'r1',
      request: {},
      parent: null,
      state: 'open',
      openedAt: 1,
      closedAt: null,
      answer: null,
      isDelivered: false,
    };
    model.hear({ type: 'permission', session: 's', permission });
    expect(model.screen?.asks).toEqual([permission]);
    model.hear({ type: 'permission', session: 's', permission: { ...permission, state: 'answered' } });
    expect(model.screen?.asks).toEqual([]);
    const waiting: Prompt = {
      id: 'p1',
      session: 's',
      clientId: 'c1',
      author: ADA,
      content: 'later',
      delivery: 'queue',
      state: 'waiting',
      admittedAt: 1,
      place: 1,
    };
    model.hear({ type: 'prompt', session: 's', prompt: waiting });
    model.hear({ type: 'prompt', session: 's', prompt: { ...waiting, content: 'changed' } });
    expect(model.screen?.prompts).toMatchObject([{ content: 'changed' }]);
    model.hear({ type: 'prompt', session: 's', prompt: { ...waiting, state: 'taken' } });
    model.hear(entry(1, prompt('changed', 'p1'), ADA));
    expect(model.screen?.prompts).toEqual([]);
    expect(words(model)).toEqual(['changed']);
  });
});
