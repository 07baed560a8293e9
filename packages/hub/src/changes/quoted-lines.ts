import { isUtf8 } from 'node:buffer';
import { turns } from '../base/turns.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** How many bytes are looked at before it is asked whether others wait. */
const BYTES_AT_ONCE = 64 * 1024;

/**
 * Where a text has the lines of a quote: at the line that is named, somewhere else, or nowhere. Takes as long as the text is,
 * whatever is in it (Knuth, Morris and Pratt): a file of a million lines that are all alike is an agent's to make.
 */
export async function findLines(
  text: Buffer,
  quote: string,
  line: number,
): Promise<'there' | 'elsewhere' | 'nowhere'> {
  const wanted = Buffer.from(`\n${quote}\n`);
  const fallback = fallbackOf(wanted);
  const bytes = isUtf8(text) ? text : Buffer.from(text.toString());
  const count = quote.split('\n').length;
  // As if a line had ended before the first byte, and another after the last.
  let matched = 1;
  let lineNow = 1;
  let isFound = false;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at % BYTES_AT_ONCE === 0 && turns.isOver) await turns.rest();
    const byte = bytes[at] ?? NEWLINE;
    if (byte === RETURN && (bytes[at + 1] ?? NEWLINE) === NEWLINE) continue;
    while (matched > 0 && wanted[matched] !== byte) matched = fallback[matched - 1] ?? 0;
    if (wanted[matched] === byte) matched += 1;
    if (byte === NEWLINE) lineNow += 1;
    if (matched < wanted.length) continue;
    if (lineNow - count === line) return 'there';
    isFound = true;
    matched = fallback[matched - 1] ?? 0;
  }
  return isFound ? 'elsewhere' : 'nowhere';
}

/** For each beginning of the pattern: how long its longest end is that is a beginning as well. */
function fallbackOf(wanted: Buffer): Int32Array {
  const fallback = new Int32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (matched > 0 && wanted[matched] !== wanted[at]) matched = fallback[matched - 1] ?? 0;
    if (wanted[matched] === wanted[at]) matched += 1;
    fallback[at] = matched;
  }
  return fallback;
}
