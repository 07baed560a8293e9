import { describe, expect, it } from 'vitest';
import { sameJson } from '../src/same-json.ts';

describe('two values', () => {
  it.each([
    [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
    [[1, 'a', true], [1, 'a', true], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ toString: 1 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [null, {}, false],
    [null, null, true],
  ])('[WO6] %j and %j are the same JSON: %s', (one, other, isSame) => {
    expect([sameJson(one, other), sameJson(other, one)]).toEqual([isSame, isSame]);
  });
});
