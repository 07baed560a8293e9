import { LIMITS, LineDecoder, LineTooLongError } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { bytesOf, cutAtRandom } from './decoding.ts';

interface Outcome {
  texts: string[];
  errors: unknown[];
  decoder: LineDecoder;
}

function pushAll(chunks: readonly Uint8Array[], maxLineBytes?: number): Outcome {
  const texts: string[] = [];
  const errors: unknown[] = [];
  const decoder = new LineDecoder({
    onLine: (line) => texts.push(line.text()),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  for (const chunk of chunks) {
    try {
      decoder.push(chunk);
    } catch (error) {
      errors.push(error);
    }
  }
  return { texts, errors, decoder };
}

describe('the line limit', () => {
  it('[ND9] refuses a line of one byte more than the limit', () => {
    const { texts, errors } = pushAll([bytesOf('1234\n'), bytesOf('12345\n'), bytesOf('123\r\n')], 4);
    expect(texts).toEqual(['1234', '123']);
    expect(errors).toEqual([expect.objectContaining({ code: 'LINE_TOO_LONG', limit: 4 })]);
    expect(errors[0]).toBeInstanceOf(LineTooLongError);
  });

  it('[ND9] is 64 MiB unless told otherwise, and is noticed before the line ends', () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    const full = Array.from({ length: LIMITS.lineBytes.most / chunk.length }, () => chunk);
    expect(pushAll(full).errors).toEqual([]);
    const { errors, decoder } = pushAll([...full, bytesOf('a')]);
    expect(errors).toEqual([expect.objectContaining({ limit: 64 * 1024 * 1024 })]);
    expect(decoder.carriedBytes).toBe(0);
  });

  it('[ND9] reports a line once, however many chunks it goes on for', () => {
    const { errors, decoder } = pushAll(['123', '45', '678', '9', '\n12'].map(bytesOf), 4);
    expect(errors).toHaveLength(1);
    expect(decoder.carriedBytes).toBe(2);
  });

  it('[ND10] delivers the lines before and after the long one in the same chunk, then throws', () => {
    const { texts, errors } = pushAll([bytesOf('a\nb\nlong line\nc\n'), bytesOf('d\n')], 4);
    expect(texts).toEqual(['a', 'b', 'c', 'd']);
    expect(errors).toHaveLength(1);
  });

  it('[ND10] delivers the lines before a long one that the chunk does not end', () => {
    const { texts, errors } = pushAll([bytesOf('a\nlong line'), bytesOf(' goes on\nb\n')], 4);
    expect(texts).toEqual(['a', 'b']);
    expect(errors).toHaveLength(1);
  });

  it('[ND10] goes on with the next line after one that passes the limit with its last chunk', () => {
    const { texts, errors } = pushAll(['123', '45\na\nb', '\n'].map(bytesOf), 4);
    expect(texts).toEqual(['a', 'b']);
    expect(errors).toHaveLength(1);
  });

  it('[ND10] drops the same lines wherever the chunks are cut', () => {
    const random = new SeededRandom(10);
    for (let round = 0; round < 500; round += 1) {
      const lines = Array.from({ length: 1 + random.below(8) }, () => 'x'.repeat(1 + random.below(12)));
      const stream = bytesOf(lines.map((line) => `${line}\n`).join(''));
      const { texts, errors } = pushAll(cutAtRandom(stream, random), 6);
      expect(texts).toEqual(lines.filter((line) => line.length <= 6));
      expect(errors.length > 0).toBe(texts.length < lines.length);
    }
  });
});
