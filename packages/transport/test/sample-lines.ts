import type { SeededRandom } from '@signalbox/testing/seeded-random';

const LETTERS = ['a', 'é', '漢', '🚦', '"', '\\', '\n', '\r', ' ', '\u2028', '\u0000', '\u007f'];

/** The `n`-th line of a conversation, of about this size. */
export function numberedLine(n: number, size = 0): string {
  return JSON.stringify({ n, pad: 'x'.repeat(size) });
}

/** Numbered lines that together are longer than `bytes`. */
export function* linesBeyond(bytes: number, size: number): Generator<string> {
  for (let n = 0; n <= bytes / size; n += 1) yield numberedLine(n, size);
}

/** A line of chance content; most are short, some are longer than any buffer on the way. */
export function chanceLine(random: SeededRandom): string {
  const limit = random.chance(70) ? 200 : random.chance(85) ? 16_000 : 400_000;
  const letter = LETTERS[random.below(LETTERS.length)] ?? '';
  return JSON.stringify(letter.repeat(random.below(limit)) + random.below(1000));
}

/** What is most likely to be cut, joined or changed on its way. */
export const DIFFICULT_LINES: readonly string[] = [
  '1',
  '{}',
  '  {"indented": true}  ',
  JSON.stringify('carriage return and newline: \r\n, quotes: "\'`, backslashes: \\\\, nothing: \u0000'),
  '{"raw carriage return":\r1}',
  JSON.stringify('Grüße, 漢字, עברית, 🚦🏳️‍🌈, e\u0301, line separators \u2028\u2029'),
  '"line separators \u2028\u2029\u0085 as they are"',
  JSON.stringify({ deep: { list: [1, null, true, { text: '}\n{' }] } }),
  JSON.stringify('🚦'.repeat(2 * 1024 * 1024)),
];
