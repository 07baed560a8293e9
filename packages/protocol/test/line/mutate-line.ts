import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { randomJson, writeJson } from './random-json.ts';

type Mutation = (line: Buffer, random: SeededRandom) => Buffer;

/** Deep enough now and then to overflow the stack of whoever walks a value by calling itself. */
const DEPTHS = [100, 100, 100, 100, 100, 100, 100, 20_000];

const MUTATIONS: readonly Mutation[] = [
  flipBytes,
  truncate,
  swapType,
  nestDeep,
  hugeNumber,
  repeatKey,
  loneSurrogate,
  splice,
];

/** A line that is broken in one to three ways, or still good by chance. */
export function mutateLine(line: string, random: SeededRandom): Buffer {
  let mutated: Buffer = Buffer.from(line);
  for (let times = 1 + random.below(3); times > 0; times -= 1)
    mutated = random.pick(MUTATIONS)(mutated, random);
  return mutated;
}

function flipBytes(line: Buffer, random: SeededRandom): Buffer {
  const flipped = Buffer.from(line);
  for (let times = 1 + random.below(4); times > 0 && flipped.length > 0; times -= 1) {
    flipped[random.below(flipped.length)] = random.below(256);
  }
  return flipped;
}

function truncate(line: Buffer, random: SeededRandom): Buffer {
  const at = random.below(line.length + 1);
  return random.oneIn(2) ? line.subarray(0, at) : line.subarray(at);
}

/** Another value of another type for one of the keys. */
function swapType(line: Buffer, random: SeededRandom): Buffer {
  return replaceValue(line, random, writeJson(randomJson(random), random));
}

function nestDeep(line: Buffer, random: SeededRandom): Buffer {
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"type":', '}'],
    ['[', ''],
  ]);
  const depth = random.pick(DEPTHS);
  return replaceValue(line, random, `${open?.repeat(depth)}0${close?.repeat(depth)}`);
}

function hugeNumber(line: Buffer, random: SeededRandom): Buffer {
  return replaceValue(
    line,
    random,
    random.pick(['1e999', '-1e-999', '9'.repeat(400), '0x1', '--1', '1.', '-0']),
  );
}

function repeatKey(line: Buffer, random: SeededRandom): Buffer {
  const key = random.pick(['type', 'request_id', 'request', 'response', 'uuid', 'subtype']);
  const member = `"${key}":${random.pick(['"x"', 'null', '{}', '"control_request"', '"keep_alive"'])}`;
  const at = random.oneIn(2) ? line.indexOf('{') : line.lastIndexOf('}') - 1;
  const comma = random.oneIn(8) ? '' : ',';
  return insert(line, at + 1, at < line.length / 2 ? `${member}${comma}` : `${comma}${member}`);
}

function loneSurrogate(line: Buffer, random: SeededRandom): Buffer {
  const surrogate = random.pick([
    Buffer.from('\\ud800'),
    Buffer.from('\\uDFFF'),
    Buffer.of(0xed, 0xa0, 0x80),
  ]);
  return insert(line, random.oneIn(2) ? line.indexOf('"') + 1 : random.below(line.length + 1), surrogate);
}

/** A part of the line once more, somewhere else in it. */
function splice(line: Buffer, random: SeededRandom): Buffer {
  const start = random.below(line.length + 1);
  return insert(line, random.below(line.length + 1), line.subarray(start, start + random.below(60)));
}

function replaceValue(line: Buffer, random: SeededRandom, value: string): Buffer {
  const colons = [...line.toString('latin1').matchAll(/":/g)];
  if (colons.length === 0) return line;
  const start = random.pick(colons).index + 2;
  const end = line.toString('latin1', start).search(/[,}]/);
  return Buffer.concat([
    line.subarray(0, start),
    Buffer.from(value),
    line.subarray(end < 0 ? line.length : start + end),
  ]);
}

function insert(line: Buffer, at: number, part: string | Buffer): Buffer {
  return Buffer.concat([line.subarray(0, at), Buffer.from(part), line.subarray(at)]);
}
