import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { fixtureLines } from './fixture-lines.ts';

// In these templates `@` stands for commands and `¤` for an argument.
const STATEMENTS = fixtureLines('statements');
const ARGUMENTS = fixtureLines('arguments');
const SPELLINGS = fixtureLines('spellings');
const SEPARATORS = fixtureLines('separators');
const READERS = fixtureLines('readers');
const SOURCES = fixtureLines('sources');
const TOKENS = [...fixtureLines('tokens'), '\u00a0'];

const MAX_DEPTH = 3;

/** A random line of bash: statements in statements, with commands in every place that can hold one. */
export function randomLine(random: SeededRandom): string {
  const first = fill(random.pick(STATEMENTS), random, 0);
  return random.below(3) > 0
    ? first
    : first + random.pick(SEPARATORS) + fill(random.pick(STATEMENTS), random, 1);
}

/** A random line that looks at something: at what is its own, or at what is a secret. */
export function randomReading(random: SeededRandom): string {
  const reader = (depth: number): string =>
    random
      .pick(READERS)
      .replace(/[@¤]/g, (hole) =>
        hole === '¤' ? random.pick(SOURCES) : depth < MAX_DEPTH ? reader(depth + 1) : 'cat mine',
      );
  return random.below(3) > 0 ? reader(0) : reader(0) + random.pick(SEPARATORS) + reader(1);
}

/** The line with a few pieces cut out, doubled or thrown in. */
export function mutateLine(line: string, random: SeededRandom): string {
  let text = line;
  for (let more = 1 + random.below(3); more > 0; more--) {
    const at = random.below(text.length + 1);
    const piece = random.below(4) === 0 ? text.slice(at, at + random.below(8)) : random.pick(TOKENS);
    text = text.slice(0, at) + (random.below(3) === 0 ? '' : piece) + text.slice(at + random.below(4));
  }
  return text;
}

function fill(template: string, random: SeededRandom, depth: number): string {
  return template.replace(/[@¤]/g, (hole) =>
    hole === '@' ? commands(random, depth + 1) : argument(random, depth + 1),
  );
}

function argument(random: SeededRandom, depth: number): string {
  return depth < MAX_DEPTH + 2 ? fill(random.pick(ARGUMENTS), random, depth) : 'x';
}

function commands(random: SeededRandom, depth: number): string {
  if (depth < MAX_DEPTH && random.below(10) < 4) return fill(random.pick(STATEMENTS), random, depth);
  const command = random.pick(SPELLINGS);
  if (random.below(3) > 0) return command;
  if (random.below(3) > 0) return `${command} ${argument(random, depth)}`;
  return command + random.pick(SEPARATORS) + random.pick(SPELLINGS);
}
