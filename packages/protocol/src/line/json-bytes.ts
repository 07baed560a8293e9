import { LIMITS } from '../limits.ts';
import { type FieldSpans, fieldNamed, noSpans, putSpan } from './scan-fields.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_U = 0x75;
const FIRST_PRINTABLE = 0x20;

/** A line that nests deeper is shown as text. */
const MAX_DEPTH = LIMITS.contentDepth.most;

const NOWHERE = -1;

/** What stands for itself, by its first byte. */
const WORDS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), bytesOf(word)]));

const ESCAPES = new Set(bytesOf('"\\/bfnrtu'));

/** One bit for each byte: a table is read faster than a chain of comparisons. */
const DIGIT = 1;
const HEX = 2;
const SPACE = 4;
/** What a string cannot have as it is. */
const SPECIAL = 8;
const kinds = new Uint8Array(256);
for (const digit of bytesOf('0123456789')) kinds[digit] = DIGIT | HEX;
for (const digit of bytesOf('abcdefABCDEF')) kinds[digit] = HEX;
for (const space of bytesOf(' \t\n\r')) kinds[space] = SPACE;
for (let control = 0; control < FIRST_PRINTABLE; control += 1)
  kinds[control] = (kinds[control] ?? 0) | SPECIAL;
kinds[QUOTE] = SPECIAL;
kinds[BACKSLASH] = SPECIAL;

/**
 * Whether valid UTF-8 is one JSON value and nothing else. Says no more than `JSON.parse` would, and makes no garbage:
 * every line that is shown passes here.
 */
export function isJsonValue(bytes: Uint8Array): boolean {
  const end = afterValue(bytes, skipSpace(bytes, 0), 0);
  return end !== NOWHERE && skipSpace(bytes, end) === bytes.length;
}

/**
 * The wanted fields of a JSON object that {@link isJsonValue} would take for one, found in the same look at its bytes; undefined
 * for everything else.
 */
export function jsonFields(bytes: Uint8Array): FieldSpans | undefined {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_BRACE) return undefined;
  const spans = noSpans();
  const end = afterMembers(bytes, start, 0, CLOSE_BRACE, spans);
  return end !== NOWHERE && skipSpace(bytes, end) === bytes.length ? spans : undefined;
}

/** Each of these gives the place after what it expects, or nowhere. */
function afterValue(bytes: Uint8Array, at: number, depth: number): number {
  const byte = bytes[at];
  if (byte === QUOTE) return afterString(bytes, at);
  if (byte === OPEN_BRACE) return afterMembers(bytes, at, depth, CLOSE_BRACE);
  if (byte === OPEN_BRACKET) return afterMembers(bytes, at, depth, CLOSE_BRACKET);
  const word = byte === undefined ? undefined : WORDS.get(byte);
  return word ? afterWord(bytes, at, word) : afterNumber(bytes, at);
}

function afterMembers(
  bytes: Uint8Array,
  start: number,
  depth: number,
  close: number,
  spans?: number[],
): number {
  if (depth >= MAX_DEPTH) return NOWHERE;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === close) return at + 1;
  for (;;) {
    const nameStart = at + 1;
    let nameEnd = at;
    if (close === CLOSE_BRACE) {
      if (bytes[at] !== QUOTE) return NOWHERE;
      at = afterString(bytes, at);
      nameEnd = at - 1;
      at = skipSpace(bytes, at);
      if (bytes[at] !== COLON) return NOWHERE;
      at = skipSpace(bytes, at + 1);
    }
    const valueStart = at;
    at = afterValue(bytes, at, depth + 1);
    if (at === NOWHERE) return NOWHERE;
    if (spans) putSpan(spans, bytes, fieldNamed(bytes, nameStart, nameEnd), valueStart, at);
    at = skipSpace(bytes, at);
    if (bytes[at] === close) return at + 1;
    if (bytes[at] !== COMMA) return NOWHERE;
    at = skipSpace(bytes, at + 1);
  }
}

function afterString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (((kinds[byte] ?? 0) & SPECIAL) === 0) continue;
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return NOWHERE;
    at += 1;
    if (!ESCAPES.has(bytes[at] ?? 0)) return NOWHERE;
    if (bytes[at] !== LETTER_U) continue;
    for (let digit = 1; digit <= 4; digit += 1) if (!is(HEX, bytes[at + digit])) return NOWHERE;
    at += 4;
  }
  return NOWHERE;
}

function afterWord(bytes: Uint8Array, start: number, word: Uint8Array): number {
  for (let at = 0; at < word.length; at += 1) if (bytes[start + at] !== word[at]) return NOWHERE;
  return start + word.length;
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  // Nothing follows a leading zero.
  at = bytes[at] === 0x30 ? at + 1 : afterDigits(bytes, at);
  if (at !== NOWHERE && bytes[at] === 0x2e) at = afterDigits(bytes, at + 1);
  if (at === NOWHERE || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at;
  const isSigned = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d;
  return afterDigits(bytes, at + (isSigned ? 2 : 1));
}

function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (is(DIGIT, bytes[at])) at += 1;
  return at === start ? NOWHERE : at;
}

/** Nowhere stays nowhere: there is nothing at that place. */
function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (is(SPACE, bytes[at])) at += 1;
  return at;
}

function is(kind: number, byte: number | undefined): boolean {
  return byte !== undefined && ((kinds[byte] ?? 0) & kind) !== 0;
}

function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (letter) => letter.charCodeAt(0));
}
