import { LIMITS, LineDecoder } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { bytesOf, decode, textsOf } from './decoding.ts';

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

describe('LineDecoder', () => {
  it('[ND2] ends a line with LF or CRLF and keeps any other CR', () => {
    expect(textsOf(decode([bytesOf('a\nb\r\nc\rd\n\re\r\r\n')]))).toEqual(['a', 'b', 'c\rd', '\re\r']);
  });

  it.each([
    { cut: 'before CR', chunks: ['a', '\r\nb\n'] },
    { cut: 'between CR and LF', chunks: ['a\r', '\nb\n'] },
    { cut: 'around CR', chunks: ['a', '\r', '\n', 'b', '\n'] },
  ])('[ND2] knows CRLF when it is cut $cut', ({ chunks }) => {
    const lines = decode(chunks.map(bytesOf));
    expect(textsOf(lines)).toEqual(['a', 'b']);
    expect(lines.map((line) => line.byteLength)).toEqual([1, 1]);
  });

  it('[ND3] yields nothing for blank lines and empty chunks', () => {
    const chunks = ['', '\n\r\n', ' \t', '', ' \r', '\n', 'a', '', '\n', '\n', '  '];
    expect(textsOf(decode(chunks.map(bytesOf)))).toEqual(['a']);
  });

  it('[ND3] keeps the white space around a line that is not blank', () => {
    expect(textsOf(decode([bytesOf(' a \n')]))).toEqual([' a ']);
  });

  it('[ND4] delivers a last line without line end at the end of the stream', () => {
    const texts: string[] = [];
    const decoder = new LineDecoder({ onLine: (line) => texts.push(line.text()) });
    decoder.push(bytesOf('a\nb'));
    decoder.push(bytesOf('c\r'));
    expect(texts).toEqual(['a']);
    expect(decoder.carriedBytes).toBe(3);
    decoder.end();
    expect(texts).toEqual(['a', 'bc']);
    expect(decoder.carriedBytes).toBe(0);
    decoder.end();
    expect(texts).toEqual(['a', 'bc']);
  });

  it('[ND4] begins a new stream after the end of one', () => {
    const texts: string[] = [];
    const decoder = new LineDecoder({ onLine: (line) => texts.push(line.text()), maxLineBytes: 2 });
    expect(() => decoder.push(bytesOf('long'))).toThrow();
    decoder.end();
    decoder.push(bytesOf('ok\n'));
    expect(texts).toEqual(['ok']);
  });

  it.each([0, 1, 2, 3])('[ND5] drops a byte order mark that is cut after %i bytes', (cut) => {
    const stream = Uint8Array.of(...MARK, ...bytesOf('{"a":1}\n'));
    const [line, ...others] = decode([stream.subarray(0, cut), stream.subarray(cut)]);
    expect(others).toEqual([]);
    expect(line?.text()).toBe('{"a":1}');
    expect(line?.bytes()).toEqual(bytesOf('{"a":1}'));
  });

  it('[ND5] keeps U+FEFF as content anywhere else, whatever chunk it begins', () => {
    const stream = bytesOf('a\n\ufeffb\n');
    const second = (cut: number): string | undefined =>
      decode([stream.subarray(0, cut), stream.subarray(cut)])[1]?.text();
    for (let cut = 0; cut <= stream.length; cut += 1) expect(second(cut)).toBe('\ufeffb');
  });

  it('[ND5] keeps the beginning of a mark that is not one', () => {
    const [line] = decode([MARK.subarray(0, 1), MARK.subarray(1, 2), bytesOf('x\n')]);
    expect(line?.bytes()).toEqual(Uint8Array.of(0xef, 0xbb, 0x78));
    expect(decode([MARK.subarray(0, 2)])[0]?.bytes()).toEqual(MARK.subarray(0, 2));
  });

  it('[ND7] keeps the chunks of a long line as they are, up to the default limit of 64 MiB', () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    const chunks = Array.from({ length: LIMITS.lineBytes.most / chunk.length }, () => chunk.subarray());
    const [line, ...others] = decode([...chunks, bytesOf('\n')]);
    expect(others).toEqual([]);
    expect(line?.byteLength).toBe(LIMITS.lineBytes.most);
    const pieces = line?.pieces() ?? [];
    expect(pieces.length).toBe(chunks.length);
    expect(pieces.every((piece, at) => piece === chunks[at])).toBe(true);
  });

  it('[ND7] copies no line that arrives whole', () => {
    const chunk = bytesOf('one\ntwo\n');
    for (const line of decode([chunk])) expect(line.bytes().buffer).toBe(chunk.buffer);
    const unended = bytesOf('one');
    expect(decode([unended])[0]?.bytes()).toBe(unended);
  });

  it('[ND8] keeps a line that arrives byte by byte in few pieces', () => {
    const length = 1024 * 1024;
    const bytes = Uint8Array.from({ length }, (_, at) => 0x30 + (at % 10));
    const chunks = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    const [line] = decode([...chunks, bytesOf('\n')]);
    expect(line?.pieces().length).toBeLessThanOrEqual(length / 4096 + 12);
    expect(Buffer.compare(line?.bytes() ?? bytesOf(''), bytes)).toBe(0);
  });
});
