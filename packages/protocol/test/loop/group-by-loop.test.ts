import { describe, expect, it } from 'vitest';
import { groupByLoop } from '../../src/loop/index.ts';

const of = (name: string, loop: string | null = null, iteration = 0) => ({
  name,
  loop: loop === null ? null : { id: loop, iteration },
});

describe('sessions of a loop in a list', () => {
  it('[LP1592] stand together where the first of them stands, newest first below it', () => {
    const list = [
      of('alone'),
      of('b2', 'b', 2),
      of('a3', 'a', 3),
      of('b1', 'b', 1),
      of('b3', 'b', 3),
      of('other'),
    ];
    const seen = groupByLoop(list).map(({ loop, first, others }) => [
      loop,
      first.name,
      others.map(({ name }) => name).join(),
    ]);
    expect(seen).toEqual([
      [null, 'alone', ''],
      ['b', 'b2', 'b3,b1'],
      ['a', 'a3', ''],
      [null, 'other', ''],
    ]);
  });
});
