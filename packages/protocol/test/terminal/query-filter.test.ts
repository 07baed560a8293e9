import { describe, expect, it } from 'vitest';
import { QueryFilter } from '../../src/terminal/query-filter.ts';
import { SequenceScanner } from '../../src/terminal/sequence-scanner.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function filtered(parts: readonly Uint8Array[]): string {
  const filter = new QueryFilter();
  return parts.map((part) => new TextDecoder('latin1').decode(filter.push(part))).join('');
}

describe('what a terminal is asked', () => {
  const queries = [
    '\x1b[c',
    '\x1b[>0c',
    '\x1b[6n',
    '\x1b[?6n',
    '\x1b[?2026$p',
    '\x1b[>q',
    '\x1b[?u',
    '\x1b[18t',
    '\x1b]11;?\x07',
    '\x1b]4;1;?',
    '\x1b]52;c;?\x07',
    '\x1bP$qm',
    '\x1bP+q544e',
    '\x1bZ',
    '\u009b6n',
  ];
  const others = [
    '\x1b[31m',
    '\x1b[2J',
    '\x1b[?1006h',
    '\x1b]0;a title?\x07',
    '\x1b[8;24;80t',
    '\x1b(0',
    '\x1b[2 q',
    '\x1bP1$r0m',
  ];

  it.each(queries)('[TM1370] %j is left out, wherever it is cut', (query) => {
    const end = /^.[\]P]/.test(query) && !query.endsWith('\x07') ? '\x1b\\' : '';
    const whole = bytesOf(`before${query}${end}after`);
    for (let at = 0; at <= whole.length; at += 1)
      expect(filtered([whole.subarray(0, at), whole.subarray(at)])).toBe(`before${end}after`);
  });

  it.each(others)('[TM1371] %j is passed on as it is', (text) => {
    const whole = bytesOf(`before${text}${text.startsWith('\x1bP') ? '\x1b\\' : ''}after`);
    for (let at = 0; at <= whole.length; at += 1)
      expect(filtered([whole.subarray(0, at), whole.subarray(at)])).toBe(
        new TextDecoder('latin1').decode(whole),
      );
  });

  it('[TM1372] a string that does not end is held back no longer than it could be a question', () => {
    const filter = new QueryFilter();
    const long = bytesOf(`\x1bP${'x'.repeat(100_000)}`);
    expect(filter.push(long).length).toBe(long.length);
    expect(filtered([long, bytesOf('\x1b\\\x1b[6nend')])).toMatch(/x.\\end$/);
  });

  it('[TM1373] says where a sequence or a character begins that is not complete', () => {
    const complete = (text: string | Uint8Array): number => {
      const scanner = new SequenceScanner();
      scanner.push(typeof text === 'string' ? bytesOf(text) : text);
      return scanner.complete;
    };
    expect(complete('plain')).toBe(5);
    expect(complete('ab\x1b')).toBe(2);
    expect(complete('ab\x1b[3')).toBe(2);
    expect(complete('ab\x1b[31m')).toBe(7);
    expect(complete('ab\x1b]0;title')).toBe(2);
    expect(complete('ab\x1b]0;title\x07')).toBe(12);
    expect(complete('ab\x1b(')).toBe(2);
    expect(complete('ab\x1b(0')).toBe(5);
    expect(complete('ab\x1bPq\x18c')).toBe(7);
    expect(complete(bytesOf('aé€😀').subarray(0, 8))).toBe(6);
    expect(complete(bytesOf('aé€😀'))).toBe(10);
    expect(complete(Uint8Array.of(0x61, 0xe2, 0x62))).toBe(3);
  });
});
