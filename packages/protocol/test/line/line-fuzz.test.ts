import { JsonTooDeepError, LineDecoder, type WireLine } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { cutAtRandom } from './decoding.ts';
import { mutateLine } from './mutate-line.ts';
import { recordedLines } from './recorded-lines.ts';

const ROUNDS = 400;
const LINES_PER_ROUND = 30;

function use(line: WireLine): void {
  const head = line.head();
  void [head.type, head.uuid, head.sessionId, head.subtype, head.requestId, head.parentToolUseId];
  try {
    line.json();
  } catch (error) {
    if (!(error instanceof JsonTooDeepError)) expect(error).toBeInstanceOf(SyntaxError);
  }
}

describe('broken lines', () => {
  it('[ND16] go through the codec, 12,000 of them, and the good line after them is read', () => {
    const random = new SeededRandom(16);
    let broken = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      let last: WireLine | undefined;
      const decoder = new LineDecoder({
        onLine: (line) => {
          use(line);
          last = line;
        },
      });
      const lines = Array.from({ length: LINES_PER_ROUND }, () =>
        mutateLine(random.pick(recordedLines), random),
      );
      broken += lines.length;
      const stream = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
      for (const chunk of cutAtRandom(stream, random)) decoder.push(chunk);
      decoder.push(Buffer.from('{"type":"good"}\n'));
      expect(last?.head().type).toBe('good');
    }
    expect(broken).toBe(12_000);
  });
});
