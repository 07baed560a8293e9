import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { bytesOf, cutAtRandom, decode, textsOf } from './decoding.ts';
import { randomJson } from './random-json.ts';

const PARTS = [
  'a',
  '{"k":"v"}',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  'é',
  '☃',
  '😀',
  '\u2028',
  '\ufeff',
  '\u0000',
  '"',
];

function randomText(random: SeededRandom): string {
  return Array.from({ length: random.below(40) }, () => random.pick(PARTS)).join('');
}

/** What the lines of a text are, said in another way than the decoder says it. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  return lines.map((line) => line.replace(/\r$/, '')).filter((line) => /[^\0- ]/.test(line));
}

describe('any cut of a stream', () => {
  it('[ND1] yields the lines of the text, as text and as bytes', () => {
    const random = new SeededRandom(1);
    for (let round = 0; round < 3000; round += 1) {
      const text = randomText(random);
      const expected = linesOf(text);
      const lines = decode(cutAtRandom(bytesOf(text), random));
      expect(textsOf(lines)).toEqual(expected);
      expect(lines.map((line) => line.bytes())).toEqual(expected.map(bytesOf));
      expect(lines.map((line) => line.byteLength)).toEqual(expected.map((line) => bytesOf(line).length));
      expect(textsOf(lines)).toEqual(expected);
    }
  });

  it('[ND1] yields the same JSON values', () => {
    const random = new SeededRandom(2);
    for (let round = 0; round < 500; round += 1) {
      const values = Array.from({ length: random.below(6) }, () => randomJson(random));
      const end = random.pick(['\n', '\r\n']);
      const text = values.map((value) => JSON.stringify(value)).join(end);
      const lines = decode(cutAtRandom(bytesOf(text), random));
      expect(lines.map((line) => line.json())).toEqual(values);
    }
  });

  it('[ND1] cuts a stream of every kind of character at every byte', () => {
    const stream = bytesOf('aé☃😀\r\n\u2028\ufeff"\n\u0000😀');
    const whole = textsOf(decode([stream]));
    expect(whole).toEqual(['aé☃😀', '\u2028\ufeff"', '\u0000😀']);
    for (let first = 0; first <= stream.length; first += 1) {
      for (let second = first; second <= stream.length; second += 1) {
        const cut = [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)];
        expect(textsOf(decode(cut))).toEqual(whole);
      }
    }
  });

  it('[ND6] turns bytes that are not UTF-8 into U+FFFD, the same ones at any cut, and passes them on unchanged', () => {
    const random = new SeededRandom(3);
    const broken = [0x41, 0x0a, 0x80, 0xc3, 0xe2, 0x82, 0xf0, 0x9f, 0xed, 0xa0, 0xff, 0xc0];
    for (let round = 0; round < 2000; round += 1) {
      const stream = Uint8Array.from({ length: random.below(30) }, () => random.pick(broken));
      const whole = decode([Buffer.concat([stream, bytesOf('\n')])]);
      const lines = decode(cutAtRandom(stream, random));
      expect(textsOf(lines)).toEqual(textsOf(whole));
      expect(Buffer.concat(lines.map((line) => line.bytes()))).toEqual(
        Buffer.from(stream.filter((byte) => byte !== 0x0a)),
      );
    }
    expect(textsOf(decode([Uint8Array.of(0x41, 0xe2, 0x82, 0x0a, 0x42, 0xff)]))).toEqual([
      'A\ufffd',
      'B\ufffd',
    ]);
  });
});
