import { readdirSync, readFileSync } from 'node:fs';
import { LineHead, parseAgentMessage } from '@signalbox/protocol';
import { type Benchmark, interleave, type Row, time } from './measure.ts';

const FIXTURES = new URL('../packages/protocol/test/fixtures/wire/', import.meta.url);
const REPEAT = 100;

/** Everything that real agents said in the recordings. */
function recordedLines(): Buffer[] {
  return ['2.1.37', '2.1.325'].flatMap((version) =>
    readdirSync(new URL(`${version}/`, FIXTURES)).flatMap((file) =>
      readFileSync(new URL(`${version}/${file}`, FIXTURES), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((text): { from?: string; msg?: unknown } => JSON.parse(text))
        .filter(({ from }) => from === 'agent')
        .map(({ msg }) => Buffer.from(JSON.stringify(msg))),
    ),
  );
}

function readHeads(lines: readonly Buffer[]): number {
  let characters = 0;
  for (const line of lines) {
    const head = new LineHead(line);
    characters += (head.type?.length ?? 0) + (head.uuid?.length ?? 0) + (head.sessionId?.length ?? 0);
  }
  return characters;
}

function parseAll(texts: readonly string[]): number {
  let characters = 0;
  for (const text of texts) {
    const message: { type?: string; uuid?: string; session_id?: string } = JSON.parse(text);
    characters +=
      (message.type?.length ?? 0) + (message.uuid?.length ?? 0) + (message.session_id?.length ?? 0);
  }
  return characters;
}

async function compare(
  what: string,
  lines: readonly Buffer[],
  target: string,
  limit?: number,
): Promise<Row[]> {
  const texts = lines.map(String);
  const repeat = (work: () => unknown) => () =>
    time(() => {
      for (let round = 0; round < REPEAT; round += 1) work();
    });
  const {
    parse = 0,
    head = 0,
    schema = 0,
  } = await interleave(9, {
    parse: repeat(() => parseAll(texts)),
    head: repeat(() => readHeads(lines)),
    schema: repeat(() => texts.forEach((text) => void parseAgentMessage(JSON.parse(text)))),
  });
  const row = (name: string, ms: number, aim: string, met: boolean | undefined): Row => ({
    what: `${what}: ${name}`,
    baseline: `${parse.toFixed(1)} ms`,
    ours: `${ms.toFixed(1)} ms`,
    ratio: `${(ms / parse).toFixed(2)} ×`,
    target: aim,
    met,
  });
  return [
    row('type, uuid and session read', head, target, limit === undefined ? undefined : head / parse <= limit),
    row('parsed and checked by its schema', schema, '–', undefined),
  ];
}

function isAssistant(line: Buffer): boolean {
  return new LineHead(line).type === 'assistant';
}

/** The recorded message with a text of the length that models write. */
function withLongText(line: Buffer): Buffer {
  const message: { message: { content: unknown } } = JSON.parse(String(line));
  message.message.content = [
    { type: 'text', text: 'A sentence of an answer, with some "quotes" in it.\n'.repeat(80) },
  ];
  return Buffer.from(JSON.stringify(message));
}

async function run(): Promise<Row[]> {
  const all = recordedLines();
  const bulk = all.filter((line) => ['assistant', 'stream_event'].includes(new LineHead(line).type ?? ''));
  const long = bulk.filter(isAssistant).map(withLongText);
  return [
    ...(await compare('assistant messages with 4 kB of text', long, '≈ 0.13 × in a trial', 0.13)),
    ...(await compare('assistant and stream_event messages', bulk, '–')),
    ...(await compare('all recorded messages', all, '–')),
  ];
}

export const lineHead: Benchmark = {
  name: 'line-head',
  title: 'Reading the head of a message, against `JSON.parse`',
  run,
};
