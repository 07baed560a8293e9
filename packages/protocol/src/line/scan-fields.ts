import { jsonText } from './json-text.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;

/** Below this length a loop finds the closing quote faster than a call of `indexOf`. */
const SHORT_STRING = 8;

/** The fields that routing needs, by their place in {@link FieldSpans}. */
export const FIELDS = ['type', 'subtype', 'uuid', 'session_id', 'request_id', 'parent_tool_use_id'] as const;
export const [TYPE, SUBTYPE, UUID, SESSION_ID, REQUEST_ID, PARENT_TOOL_USE_ID] = [0, 1, 2, 3, 4, 5] as const;
const OTHER = -1;

/** Start and end of each field's text between its quotes, in the order of FIELDS; an end of 0 means absent. */
export type FieldSpans = readonly number[];

/**
 * Find the wanted fields of a JSON object. Agrees with `JSON.parse` on every valid object;
 * undefined when the bytes are not an object or end too early. What it skips is not validated.
 */
export function scanFields(bytes: Uint8Array): FieldSpans | undefined {
  const spans = noSpans();
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] === QUOTE) {
    const keyStart = at + 1;
    const keyEnd = closingQuote(bytes, keyStart);
    const field = fieldNamed(bytes, keyStart, keyEnd);
    at = skipSpace(bytes, keyEnd + 1);
    if (bytes[at] !== COLON) return undefined;
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start);
    putSpan(spans, bytes, field, start, end);
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  return bytes[at] === CLOSE_BRACE ? spans : undefined;
}

export function noSpans(): number[] {
  return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

/** Take note of the value of a field. A repeated key counts as its last value, as it does for JSON.parse. */
export function putSpan(spans: number[], bytes: Uint8Array, field: number, start: number, end: number): void {
  if (field === OTHER) return;
  spans[2 * field] = start + 1;
  spans[2 * field + 1] = bytes[start] === QUOTE ? end - 1 : 0;
}

/** Which of FIELDS a name is, by the bytes between its quotes. */
export function fieldNamed(bytes: Uint8Array, start: number, end: number): number {
  switch (end - start) {
    case 4:
      if (bytes[start] === 0x74) return named(bytes, start, end, TYPE);
      return named(bytes, start, end, UUID);
    case 7:
      return named(bytes, start, end, SUBTYPE);
    case 10:
      if (bytes[start] === 0x73) return named(bytes, start, end, SESSION_ID);
      return named(bytes, start, end, REQUEST_ID);
    case 18:
      return named(bytes, start, end, PARENT_TOOL_USE_ID);
    default:
      return escapedName(bytes, start, end);
  }
}

function named(bytes: Uint8Array, start: number, end: number, field: number): number {
  const name = FIELDS[field] ?? '';
  for (let at = start; at < end; at += 1) if (bytes[at] !== name.charCodeAt(at - start)) return OTHER;
  return field;
}

/** A name may be written with `\u` escapes, which make it longer than what it means. */
function escapedName(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] !== BACKSLASH) continue;
    const name = jsonText(bytes, start, end);
    return FIELDS.findIndex((field) => field === name);
  }
  return OTHER;
}

function skipSpace(bytes: Uint8Array, at: number): number {
  while ((bytes[at] ?? 0xff) <= SPACE) at += 1;
  return at;
}

/** The index of the quote that closes the string whose first character is at `at`; the length when none does. */
export function closingQuote(bytes: Uint8Array, at: number): number {
  const near = Math.min(at + SHORT_STRING, bytes.length);
  for (; at < near; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** The index after the value that starts at `at`; more than the length when it never ends. */
function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return closingQuote(bytes, at + 1) + 1;
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(bytes, at);
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === COMMA || byte === CLOSE_BRACE || byte <= SPACE) break;
    at += 1;
  }
  return at;
}

function skipNested(bytes: Uint8Array, at: number): number {
  let depth = 0;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return bytes.length + 1;
}
