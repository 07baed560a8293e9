import { LIMITS } from '@signalbox/protocol';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;

const decoder = new TextDecoder();

const CLOSERS = { [OPEN_BRACE]: CLOSE_BRACE, [OPEN_BRACKET]: CLOSE_BRACKET } as const;

/**
 * What stands between the commas of a JSON list, white space included, as views of its bytes.
 * Undefined when the bytes are no list, end too early, or hold too many. The elements themselves are not validated.
 */
export function elementsOf(list: Uint8Array): Uint8Array[] | undefined {
  return partsOf(list, OPEN_BRACKET);
}

/** The members of an object by their names, each as a view of its bytes; the last one when there are several. */
export function membersOf(object: Uint8Array): Map<string, Uint8Array> | undefined {
  const parts = partsOf(object, OPEN_BRACE);
  return parts && new Map(parts.flatMap((part) => memberIn(part) ?? []));
}

/** The value of an object's member, as a view of its bytes; the last one when there are several. */
export function memberOf(object: Uint8Array, name: string): Uint8Array | undefined {
  return membersOf(object)?.get(name);
}

export function isBlank(bytes: Uint8Array): boolean {
  return skipSpace(bytes, 0) === bytes.length;
}

function partsOf(bytes: Uint8Array, opener: keyof typeof CLOSERS): Uint8Array[] | undefined {
  const open = skipSpace(bytes, 0);
  if (bytes[open] !== opener) return undefined;
  const closer = CLOSERS[opener];
  const parts: Uint8Array[] = [];
  let start = open + 1;
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (depth > 0) {
      if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    } else if (byte === COMMA || byte === closer) {
      const part = bytes.subarray(start, at);
      const isEmpty = byte === closer && parts.length === 0 && isBlank(part);
      if (!isEmpty) parts.push(part);
      if (parts.length > LIMITS.eventsPerPost.most) return undefined;
      start = at + 1;
      if (byte === closer) return isBlank(bytes.subarray(start)) ? parts : undefined;
    }
  }
  return undefined;
}

/** A name may be written with escapes: only a parser can tell. */
function memberIn(part: Uint8Array): [[string, Uint8Array]] | undefined {
  const open = skipSpace(part, 0);
  const close = closingQuote(part, open);
  const colon = skipSpace(part, close + 1);
  if (part[colon] !== COLON) return undefined;
  try {
    return [[String(JSON.parse(decoder.decode(part.subarray(open, close + 1)))), part.subarray(colon + 1)]];
  } catch {
    return undefined;
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at += 1;
  return at;
}

/** The index of the quote that closes the string which opens at `open`; the length when none does. */
function closingQuote(bytes: Uint8Array, open: number): number {
  for (let quote = bytes.indexOf(QUOTE, open + 1); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return bytes.length;
}
