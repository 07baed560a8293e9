import { isTooDeep, JsonTooDeepError, LIMITS, parseJson, valueDepth, WireLine } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';

const { most } = LIMITS.lineDepth;

/** Objects and lists by turns, around a value that has brackets in its text. */
function nested(levels: number, inside = '"]}[{\\\\\\""'): string {
  const opening = Array.from({ length: levels }, (_, at) => (at % 2 ? '{"a\\"{":' : '['));
  const closing = opening.map((open) => (open === '[' ? ']' : '}')).toReversed();
  return opening.join('') + inside + closing.join('');
}

describe('the depth of a line', () => {
  it('[ND300] a line is parsed up to the limit of levels, and not beyond', () => {
    expect(valueDepth(WireLine.of(nested(most)).json())).toBe(most);
    for (const levels of [most + 1, 2_000, 1_000_000]) {
      const line = WireLine.of(nested(levels));
      expect(line.isTooDeep).toBe(true);
      expect(() => line.json()).toThrow(JsonTooDeepError);
      expect(() => WireLine.of(nested(levels)).json()).toThrow(
        expect.objectContaining({ code: 'JSON_TOO_DEEP' }),
      );
      expect(() => parseJson(nested(levels))).toThrow(JsonTooDeepError);
    }
  });

  it('[ND300] brackets in texts, and lists beside each other, are no levels', () => {
    const wide = `[${Array.from({ length: 2000 }, () => '{"text":"[[[[{{{{\\"[[["}').join(',')}]`;
    expect(WireLine.of(wide).isTooDeep).toBe(false);
    expect(parseJson(wide)).toEqual(JSON.parse(wide));
    expect(() => parseJson('{"a":')).toThrow(SyntaxError);
    // Never closed, it is no JSON, however deep it would have become.
    expect(() => WireLine.of('['.repeat(most + 1)).json()).toThrow(SyntaxError);
  });

  it('[ND301] what is too deep can be read without its depths', () => {
    const line = WireLine.of(`{"type":"x","deep":${nested(5000)},"list":[${nested(most)},1],"uuid":"\\"u"}`);
    const shallow = line.shallowJson();
    expect(shallow).toMatchObject({ type: 'x', uuid: '"u' });
    expect(valueDepth(shallow)).toBe(most);
    const long = WireLine.of(
      `{"type":"x","response":{"request_id":"r","response":{"a":${nested(3000)},"text":"${'x'.repeat(5_000_000)}"}}}`,
    );
    expect(() => long.json()).toThrow(JsonTooDeepError);
    expect(long.shallowJson()).toEqual({ type: 'x', response: { request_id: 'r', response: 0 } });
    const flat = '{"a":[1,{"b":"}"}],"c":"\\\\"}';
    expect(WireLine.of(flat).shallowJson()).toEqual(JSON.parse(flat));
  });

  it('[ND300] agrees with the value itself, whatever the JSON', () => {
    const seed = Math.floor(Math.random() * 1e9);
    const random = new SeededRandom(seed);
    for (let round = 0; round < 200; round += 1) {
      const levels = random.below(12);
      const value = JSON.parse(nested(levels, JSON.stringify('[{'.repeat(random.below(9)))));
      const bytes = Buffer.from(JSON.stringify({ a: [value, 'x'.repeat(random.below(50))] }));
      const limit = { ...LIMITS.lineDepth, most: random.below(15) };
      expect(isTooDeep(bytes, limit), `seed ${seed}`).toBe(
        bytes.length > 2 * limit.most && valueDepth(JSON.parse(bytes.toString())) > limit.most,
      );
    }
  });
});
