import { StringDecoder } from 'node:string_decoder';
import { LineDecoder, type WireLine } from '@signalbox/protocol';
import { type Benchmark, faster, interleave, type Row, time } from './measure.ts';

const CHUNK = 64 * 1024;
const LONG_LINE = 50_000_000;
const SMALL_LINES = 200_000;

const SMALL = JSON.stringify({
  type: 'stream_event',
  event: {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: 'a few words of text. '.repeat(5) },
  },
  parent_tool_use_id: null,
  session_id: '4e72334f-9bae-403e-838e-c3776b472055',
  uuid: '5a7892a4-22dd-4225-b766-f6f9447eeabd',
});

/** What most implementations do: one growing string, searched from its start and cut at every line. */
function growingString(chunks: readonly Buffer[]): number {
  const decoder = new StringDecoder('utf8');
  let buffer = '';
  let characters = 0;
  for (const chunk of chunks) {
    buffer += decoder.write(chunk);
    for (let end = buffer.indexOf('\n'); end !== -1; end = buffer.indexOf('\n')) {
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 1);
      characters += line.length;
    }
  }
  return characters;
}

function decode(chunks: readonly Buffer[], use: (line: WireLine) => number): number {
  let sum = 0;
  const decoder = new LineDecoder({
    onLine: (line) => {
      sum += use(line);
    },
  });
  for (const chunk of chunks) decoder.push(chunk);
  return sum;
}

function chunksOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(Buffer.from(bytes.subarray(at, at + CHUNK)));
  return chunks;
}

/** Memory beyond the start, and the longest a single push took, while a long line arrives as a socket would bring it. */
function longLineCost(): { memoryRatio: number; longestPushMs: number } {
  globalThis.gc?.();
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let line: WireLine | undefined;
  const decoder = new LineDecoder({
    onLine: (whole) => {
      line = whole;
    },
  });
  let longestPushMs = 0;
  let peak = 0;
  const chunks = Math.ceil(LONG_LINE / CHUNK);
  for (let index = 0; index <= chunks; index += 1) {
    const chunk = index === chunks ? Buffer.from('\n') : Buffer.alloc(CHUNK, 'x');
    longestPushMs = Math.max(
      longestPushMs,
      time(() => decoder.push(chunk)),
    );
    if (index % 50 === 0 || index === chunks) peak = Math.max(peak, used() - before);
  }
  return { memoryRatio: peak / (line?.byteLength ?? Number.NaN), longestPushMs };
}

async function run(): Promise<Row[]> {
  // First, while nothing else of size is alive that a collection could take away in between.
  const { memoryRatio, longestPushMs } = longLineCost();
  const long = chunksOf(`${'x'.repeat(LONG_LINE)}\n`);
  const seedLong = time(() => growingString(long));
  const oursLong = await interleave(5, {
    framed: () => time(() => decode(long, (line) => line.byteLength)),
    text: () => time(() => decode(long, (line) => line.text().length)),
  });
  const small = chunksOf(`${SMALL}\n`.repeat(SMALL_LINES));
  const lines = await interleave(7, {
    seed: () => time(() => growingString(small)),
    framed: () => time(() => decode(small, (line) => line.byteLength)),
    text: () => time(() => decode(small, (line) => line.text().length)),
  });
  const { seed = 0, framed = 0, text = 0 } = lines;
  return [
    faster('one line of 50 MB in 64 KB chunks', seedLong, oursLong.framed ?? 0, 300),
    faster('the same, and turned into text', seedLong, oursLong.text ?? 0, undefined),
    {
      what: 'memory while that line arrives',
      baseline: '50 MB',
      ours: `${(memoryRatio * 50).toFixed(0)} MB`,
      ratio: `${memoryRatio.toFixed(2)} × the line`,
      target: '≤ 1.3 ×',
      met: memoryRatio <= 1.3,
    },
    {
      what: 'longest stall while it arrives',
      baseline: '–',
      ours: `${longestPushMs.toFixed(2)} ms`,
      ratio: '–',
      target: '≤ 50 ms',
      met: longestPushMs <= 50,
    },
    faster(`${SMALL_LINES.toLocaleString('en')} lines of ${SMALL.length} bytes`, seed, framed, 1.5),
    faster('the same, and every one turned into text', seed, text, undefined),
  ];
}

export const ndjson: Benchmark = {
  name: 'ndjson',
  title: 'NDJSON decoder, against `buffer += chunk`',
  run,
};
