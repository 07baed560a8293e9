import { LineDecoder, type WireLine } from '@signalbox/protocol';
import type { SeededRandom } from '@signalbox/testing/seeded-random';

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** All lines of one stream. */
export function decode(chunks: readonly Uint8Array[], maxLineBytes?: number): WireLine[] {
  const lines: WireLine[] = [];
  const decoder = new LineDecoder({
    onLine: (line) => lines.push(line),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return lines;
}

export function textsOf(lines: readonly WireLine[]): string[] {
  return lines.map((line) => line.text());
}

/** Cut anywhere: inside of characters, between CR and LF, and into empty chunks. */
export function cutAtRandom(bytes: Uint8Array, random: SeededRandom): Uint8Array[] {
  const longest = 1 + random.below(bytes.length + 1);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random.below(longest + 1);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}
