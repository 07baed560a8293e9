import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { oneOf } from '../../src/schema/one-of.ts';
import {
  choice,
  echoed,
  expected,
  list,
  literal,
  map,
  number,
  object,
  optional,
  text,
  wire,
} from '../../src/schema/wire.ts';

describe('one definition, two forms', () => {
  it('[MSG8] builds a schema when it is first used, and once', () => {
    const built: string[] = [];
    const lazy = wire(
      () => (built.push('loose'), z.string()),
      () => (built.push('strict'), z.string()),
    );
    const outer = object({ inner: list(optional(lazy)), other: map(lazy) });
    const union = oneOf('type', { a: outer });
    expect(built).toEqual([]);
    expect(union.loose).toBe(union.loose);
    expect(built).toEqual([]);
    z.safeParse(union.loose, { type: 'a' });
    z.safeParse(union.loose, { type: 'a' });
    expect(built).toEqual(['loose']);
  });

  it('[MSG8] loose keeps unknown fields, open names and absent fields; strict refuses all three', () => {
    const shape = object({ type: literal('a'), mode: choice(['x', 'y']), count: expected(number) });
    const foreign = { type: 'a', mode: 'x', count: 1, more: true };
    const renamed = { type: 'a', mode: 'z', count: 1 };
    const short = { type: 'a', mode: 'x' };
    for (const value of [foreign, renamed, short]) {
      expect(z.safeParse(shape.loose, value).success).toBe(true);
      expect(z.safeParse(shape.strict, value).success).toBe(false);
    }
    expect(z.safeParse(shape.strict, { type: 'a', mode: 'y', count: 1 }).success).toBe(true);
  });

  it('[MSG8] what a peer handed us goes out again with the fields we do not know', () => {
    const shape = object({ theirs: echoed(object({ name: text })), ours: object({ name: text }) });
    const foreign = { name: 'n', more: 1 };
    expect(z.safeParse(shape.strict, { theirs: foreign, ours: { name: 'n' } }).success).toBe(true);
    expect(z.safeParse(shape.strict, { theirs: { name: 'n' }, ours: foreign }).success).toBe(false);
    expect(z.safeParse(shape.strict, { theirs: {}, ours: { name: 'n' } }).success).toBe(false);
  });
});
