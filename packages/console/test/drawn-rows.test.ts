import { describe, expect, it } from 'vitest';
import { drawnRows, RowHeights, USUAL_ROW_PX } from '../src/model/drawn-rows.ts';
import { foldsOf } from '../src/model/folds.ts';
import type { CallItem, Item, ItemGroup } from '../src/model/item.ts';
import { newCall } from '../src/model/live-replies.ts';
import { RowList, rowAt, seqOf } from '../src/model/rows.ts';
import { entryAt, entryPx } from '../src/model/unread-space.ts';

const keysOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `row-${index}`);
const reply = (seq: number): Item => ({ kind: 'text', key: `m${seq}`, seq, text: 'so', isLive: false });
const read = (seq: number): CallItem => ({
  ...newCall(`t${seq}`, 'Read', { file_path: `/x/${seq}` }, seq),
  state: 'done',
});
const group = (key: string, ...items: Item[]): ItemGroup => ({ key, items });

describe('the rows that are drawn', () => {
  const view = { inSight: 640, around: 1280 };

  it('[CO2034] are those around what is in sight, however many there are; the others keep their room', () => {
    const keys = keysOf(100_000);
    const heights = new RowHeights();
    const drawn = drawnRows(keys, 50_000, heights, view);
    expect(drawn).toMatchObject({ from: 49_980, to: 50_031 });
    expect(drawn.above).toBe(49_980 * USUAL_ROW_PX);
    expect(drawn.above + drawn.below + (drawn.to - drawn.from) * USUAL_ROW_PX).toBe(100_000 * USUAL_ROW_PX);
    expect(drawnRows(keys, 'end', heights, view)).toMatchObject({ from: 99_970, to: 100_000, below: 0 });
    expect(drawnRows(keys, 0, heights, view)).toMatchObject({ from: 0, above: 0 });
    expect(drawnRows([], 'end', heights, view)).toEqual({ from: 0, to: 0, above: 0, below: 0 });
  });

  it('[CO2034] take the room that they took when they were last drawn, wherever they are now', () => {
    const heights = new RowHeights();
    heights.set('row-1', 5000);
    expect(heights.sum(['row-0', 'row-1'])).toBe(USUAL_ROW_PX + 5000);
    expect(heights.sum(['row-1', 'row-9', 'row-0'])).toBe(2 * USUAL_ROW_PX + 5000);
    expect(heights.at(['row-0', 'row-1', 'row-2'], 4000)).toBe(1);
    expect(heights.at(['row-0', 'row-1', 'row-2'], 1e9)).toBe(2);
    // One that is taller than the screen does not use up what is drawn after it.
    expect(drawnRows(keysOf(100), 1, heights, view).to).toBe(32);
    heights.keep(new Set(['row-0']));
    expect(heights.of('row-1')).toBe(USUAL_ROW_PX);
  });

  it('[CO2034] are found by their entries, and calls that follow each other are one row across all groups', () => {
    const list = new RowList();
    const first = group('a', reply(1), read(2), read(3));
    const rows = list.of([first, group('b', read(4), reply(6))]);
    expect(rows.map(seqOf)).toEqual([1, 2, 6]);
    expect(rows[1]).toMatchObject({ kind: 'run', calls: [{ seq: 2 }, { seq: 3 }, { seq: 4 }] });
    expect([0, 1, 3, 5, 6, 99].map((seq) => rowAt(rows, seq))).toEqual([undefined, 0, 1, 1, 2, 2]);
  });

  it('[CO2034] are the same when nothing of them changed', () => {
    const list = new RowList();
    const first = group('a', read(1), read(2), reply(3));
    const [run] = list.of([first]);
    const [same, , next] = list.of([first, group('b', reply(4))]);
    expect(same).toBe(run);
    expect(next).toMatchObject({ seq: 4 });
    expect(list.of([group('a', read(1), read(2), read(3))])[0]).not.toBe(run);
  });
});

describe('the part of a record that is not here', () => {
  it('[CO2035] has its room, in which every place is an entry', () => {
    const all = 100_001;
    const px = 50_000 * entryPx(all);
    expect(entryAt(50_001, -px, all)).toBe(1);
    expect(entryAt(50_001, -px / 2, all)).toBe(25_001);
    expect(entryAt(50_000, 1e12, all)).toBe(100_000);
    expect(entryAt(10, -1e12, all)).toBe(1);
  });

  it('[CO3852] is folded by turn, several in one fold where turns are short, and has every entry in one of them', () => {
    const part = (seq: number, turns = 1) => ({ seq, time: seq * 1000, turns, words: `Turn at ${seq}` });
    const outline = [part(3), part(5), part(6), part(100), part(200, 10), part(300)];
    const folds = foldsOf(outline, 1, 251, 40);
    expect(folds).toEqual([
      { from: 1, end: 5, turns: 1, words: 'Turn at 3', time: 3000, until: 5000 },
      { from: 5, end: 100, turns: 2, words: 'Turn at 5', time: 5000, until: 100_000 },
      { from: 100, end: 200, turns: 1, words: 'Turn at 100', time: 100_000, until: 200_000 },
      { from: 200, end: 251, turns: 5, words: 'Turn at 200', time: 200_000, until: 300_000 },
    ]);
    // What is left of a turn, and one that is too low for its words.
    expect(foldsOf(outline, 150, 202, 40)).toMatchObject([{ from: 150, end: 202, words: 'Turn at 100' }]);
    expect(foldsOf([], 1, 11, 40)).toMatchObject([{ from: 1, end: 11, turns: 0, words: '' }]);
    expect(foldsOf(outline, 7, 7, 40)).toEqual([]);
  });

  it('[CO2035] is never higher than browsers can make a box', () => {
    expect(50_000_000 * entryPx(50_000_000)).toBeLessThanOrEqual(6_000_000);
  });
});
