import { SignalboxError } from '../errors.ts';
import { LIMITS, type Limit } from '../limits.ts';
import { closingQuote } from './scan-fields.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
/** With this bit, `[` is `{` and `]` is `}`: one comparison finds both. */
const BRACE_BIT = 0x20;
const OPENINGS = [0x7b, 0x5b];
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * JSON nests deeper than anybody reads. Parsing it would go well; copying it to another thread, writing it or walking
 * through it would overflow the stack.
 */
export class JsonTooDeepError extends SignalboxError {
  readonly limit: number;
  /** The value without what is too deep, where that could be told. */
  readonly shallow: unknown;

  constructor({ most }: Limit = LIMITS.lineDepth, shallow?: unknown) {
    super('JSON_TOO_DEEP', `The JSON nests more than ${most} levels deep. Send it with fewer levels.`);
    this.limit = most;
    this.shallow = shallow;
  }
}

/** Whether JSON has more levels than a limit allows: told from its bytes in linear time, without recursion. */
export function isTooDeep(bytes: Uint8Array, limit: Limit = LIMITS.lineDepth): boolean {
  return bytes.length > 2 * limit.most && hasManyLevels(bytes, limit.most);
}

/** What JSON in a text says. Raises {@link JsonTooDeepError}, and `SyntaxError` like `JSON.parse`. */
export function parseJson(text: string, limit: Limit = LIMITS.lineDepth): unknown {
  if (text.length > 2 * limit.most && hasManyLevels(text, limit.most)) throw new JsonTooDeepError(limit);
  return JSON.parse(text);
}

/** The same JSON with a 0 in place of everything that is deeper than a limit allows. */
export function withoutDepths(
  bytes: Uint8Array,
  { most }: Pick<Limit, 'most'> = LIMITS.lineDepth,
): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const end = byte === QUOTE ? Math.min(closingQuote(bytes, at + 1), bytes.length - 1) : at;
    const isOpening = (byte | BRACE_BIT) === OPENING;
    if (isOpening) depth += 1;
    if (depth <= most) {
      kept.set(bytes.subarray(at, end + 1), length);
      length += end + 1 - at;
    } else if (isOpening && depth === most + 1) kept[length++] = ZERO;
    if ((byte | BRACE_BIT) === CLOSING) depth -= 1;
    at = end;
  }
  return kept.subarray(0, length);
}

/** How many levels a value has, counted up to one more than the limit. */
export function valueDepth(value: unknown, { most }: Pick<Limit, 'most'> = LIMITS.lineDepth): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  if (most > 0)
    for (const part of Object.values(value))
      deepest = Math.max(deepest, valueDepth(part, { most: most - 1 }));
  return deepest + 1;
}

/** Most lines have fewer brackets than that, and to count those takes next to nothing: the rest is looked at in full. */
function hasManyLevels(json: Uint8Array | string, most: number): boolean {
  if (typeof json === 'string') return textBrackets(json, most) > most && textDepth(json, most) > most;
  return brackets(json, most) > most && byteDepth(json, most) > most;
}

function brackets(bytes: Uint8Array, most: number): number {
  let count = 0;
  for (const opening of OPENINGS) {
    for (let at = bytes.indexOf(opening); at !== -1; at = bytes.indexOf(opening, at + 1)) {
      count += 1;
      if (count > most) return count;
    }
  }
  return count;
}

function textBrackets(text: string, most: number): number {
  let count = 0;
  for (const opening of ['{', '[']) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      count += 1;
      if (count > most) return count;
    }
  }
  return count;
}

/** The greatest number of brackets that are open at once; it stops counting at `most + 1`. */
function byteDepth(bytes: Uint8Array, most: number): number {
  let open = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length && deepest <= most; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = closingQuote(bytes, at + 1);
    else if ((byte | BRACE_BIT) === OPENING) deepest = Math.max(deepest, (open += 1));
    else if ((byte | BRACE_BIT) === CLOSING) open -= 1;
  }
  return deepest;
}

function textDepth(text: string, most: number): number {
  let open = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingTextQuote(text, at + 1);
    else if ((code | BRACE_BIT) === OPENING) deepest = Math.max(deepest, (open += 1));
    else if ((code | BRACE_BIT) === CLOSING) open -= 1;
  }
  return deepest;
}

/** The index of the quote that ends the string whose first character is at `start`; the length when none does. */
function closingTextQuote(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}
