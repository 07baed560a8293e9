import { describe, expect, it } from 'vitest';
import { LightHeaders } from '../../src/model/light-headers.ts';

describe('light headers', () => {
  it('[AG41] do what the headers of the platform do', () => {
    const both = [new LightHeaders([['A', ' 1 ']]), new Headers([['A', ' 1 ']])];
    const looks = both.map((headers) => {
      const seen: unknown[] = [headers.get('a'), headers.get('none'), headers.has('A'), headers.has('none')];
      headers.append('a', '\t2\r\n');
      headers.append('New', 'x y');
      headers.set('B', ' over ');
      headers.set('b', 'ridden\n');
      headers.append('gone', '1');
      headers.delete('GONE');
      seen.push(Object.fromEntries(headers.entries()), Object.fromEntries(headers));
      return seen;
    });
    expect(looks[0]).toEqual(looks[1]);
    expect(looks[0]).toContainEqual({ a: '1, 2', b: 'ridden', new: 'x y' });
  });
});
