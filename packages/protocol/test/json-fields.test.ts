import { describe, expect, it } from 'vitest';
import { isJsonObject, listAt, numberAt, objectAt, textAt } from '../src/json-fields.ts';

const FIELDS = { text: 'a', number: 7, list: [1], object: { b: 1 } };

describe('fields of what somebody else made', () => {
  it('[WO5] are read where they are what is looked for', () => {
    expect(textAt(FIELDS, 'text')).toBe('a');
    expect(numberAt(FIELDS, 'number')).toBe(7);
    expect(listAt(FIELDS, 'list')).toEqual([1]);
    expect(objectAt(FIELDS, 'object')).toEqual({ b: 1 });
  });

  it.each([
    [FIELDS, 'none'],
    [{ x: null }, 'x'],
    [{ x: true }, 'x'],
    [['x'], '0'],
    ['text', 'length'],
    [null, 'x'],
    [undefined, 'x'],
  ])('[WO5] and are empty in %j at %s', (value, name) => {
    expect(textAt(value, name)).toBe('');
    expect(numberAt(value, name)).toBeUndefined();
    expect(listAt(value, name)).toEqual([]);
    expect(objectAt(value, name)).toEqual({});
  });

  it('[WO5] of an object alone: no list and no null is one', () => {
    expect([{}, [], null, 'a', undefined].map(isJsonObject)).toEqual([true, false, false, false, false]);
  });
});
