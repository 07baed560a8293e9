import type { SeededRandom } from '@signalbox/testing/seeded-random';

/** Names that a head looks for, and names that look like them. */
const KEYS = [
  'type',
  'subtype',
  'uuid',
  'session_id',
  'request_id',
  'parent_tool_use_id',
  'Type',
  'uuids',
  'uui',
  'sessionid',
  'sub type',
  'message',
  'content',
  '',
  'tool',
  '"',
  '\\',
  'é',
  '\ufeff',
  '__proto__',
];

const TEXTS = [
  '',
  'user',
  'assistant',
  '"',
  '\\',
  '\\"',
  '"\\',
  '","uuid":"fake"',
  '"uuid":"fake"}',
  '{"type":"fake"}',
  '}',
  '{',
  ']',
  ',',
  ':',
  '":"',
  '\n',
  '\t',
  '\u0000',
  'é',
  '☃',
  '😀',
  '\ud800',
  '\udc00x',
  '\u2028',
  '\ufeffmark',
  'a'.repeat(7),
  'a'.repeat(8),
  'a'.repeat(9),
  'b'.repeat(600),
  '\\'.repeat(7),
  '"'.repeat(9),
  'aaaaaaa\\',
  'aaaaaa\\"',
];

const NUMBERS = [0, -1, 1.5, 1e21, 1e-7, -0.25, 123456789];

export function randomText(random: SeededRandom): string {
  if (random.oneIn(4)) return random.pick(KEYS);
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(TEXTS)).join('');
}

export function randomJson(random: SeededRandom, depth = 3): unknown {
  switch (random.below(depth > 0 ? 6 : 4)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick([true, false, null]);
    case 4:
      return Array.from({ length: random.below(6) }, () => randomJson(random, depth - 1));
    case 5:
      return randomObject(random, depth - 1);
    default:
      return randomText(random);
  }
}

export function randomObject(random: SeededRandom, depth = 3): Record<string, unknown> {
  const entries = Array.from({ length: random.below(7) }, (): [string, unknown] => [
    random.pick(KEYS),
    randomJson(random, depth),
  ]);
  return Object.fromEntries(entries);
}

/** Writes a value as JSON in one of the many ways there are: other white space, other escapes. */
export function writeJson(value: unknown, random: SeededRandom): string {
  const space = random.pick([0, 0, 1, 2]);
  const escapes = random.pick([0, 0, 20, 3]);
  const gap = (): string => (space === 0 || random.oneIn(2) ? '' : random.pick([' ', '\t', '\r', '  ']));
  const write = (item: unknown): string => {
    if (typeof item === 'string') return writeText(item, random, escapes);
    if (Array.isArray(item)) return `[${item.map((each) => `${gap()}${write(each)}${gap()}`).join(',')}]`;
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const members = Object.entries(item).map(
      ([key, each]) => `${gap()}${writeText(key, random, escapes)}${gap()}:${gap()}${write(each)}${gap()}`,
    );
    return `{${members.length > 0 ? members.join(',') : gap()}}`;
  };
  return `${gap()}${write(value)}${gap()}`;
}

/** One of `every` characters is written as a `\u` escape; 0 for only those that need one. */
function writeText(text: string, random: SeededRandom, every: number): string {
  if (every === 0) return JSON.stringify(text);
  const units = Array.from(text, (character) => {
    if (!random.oneIn(every)) return JSON.stringify(character).slice(1, -1);
    const codes = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('');
  });
  return `"${units.join('')}"`;
}
