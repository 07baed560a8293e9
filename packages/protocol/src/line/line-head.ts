import { isJsonValue, jsonFields } from './json-bytes.ts';
import { jsonText } from './json-text.ts';
import {
  FIELDS,
  type FieldSpans,
  PARENT_TOOL_USE_ID,
  REQUEST_ID,
  SESSION_ID,
  SUBTYPE,
  scanFields,
  TYPE,
  UUID,
} from './scan-fields.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const LEADING_TYPE = '{"type":"';

/** How far from its end a line is searched before it is scanned as a whole. */
const TAIL_BYTES = 512;

/**
 * The fields of a message that routing needs, found in its bytes without parsing the rest.
 * A field is undefined when it is not a string at the top level of the message.
 *
 * Agrees with `JSON.parse` on every valid object, but for `type` when that is there twice: to see that takes a look at the
 * whole line, which `parsedType` has. On anything else it may say what a parser would not. Agents write `type` first and their
 * ids last, so those are looked for at the two ends before the whole line is scanned.
 */
export class LineHead {
  readonly #bytes: Uint8Array;
  #spans: FieldSpans | undefined;
  #type: string | undefined;
  #isJson: boolean | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get type(): string | undefined {
    this.#type ??= leadingType(this.#bytes) ?? this.parsedType;
    return this.#type;
  }

  /** False when the type that comes first is not the one that a parser takes. */
  get isClear(): boolean {
    const { parsedType } = this;
    return parsedType === undefined || (leadingType(this.#bytes) ?? parsedType) === parsedType;
  }

  /**
   * True if the line, which is valid UTF-8, is one JSON value and nests no deeper than `LIMITS.contentDepth`. For whoever puts it
   * into JSON as it is.
   */
  get isJson(): boolean {
    this.#isJson ??= isJsonValue(this.#bytes);
    return this.#isJson;
  }

  /**
   * From now on `type` is what a parser says it is: a look at the whole line, for whoever acts on what it is. The same look tells
   * whether it is JSON, which all lines are that are not meant to harm.
   */
  settleType(): this {
    if (!this.#spans) {
      this.#spans = jsonFields(this.#bytes);
      if (this.#spans) this.#isJson = true;
    }
    this.#type = this.parsedType ?? this.type;
    return this;
  }

  /** The type as a parser says it, who takes the last of several: what a line may do is decided by this. */
  get parsedType(): string | undefined {
    const spans = this.#scanned();
    const end = spans[2 * TYPE + 1] ?? 0;
    return end === 0 ? undefined : typeText(this.#bytes, spans[2 * TYPE] ?? 0, end);
  }

  get uuid(): string | undefined {
    return this.#lateField(UUID);
  }

  get sessionId(): string | undefined {
    return this.#lateField(SESSION_ID);
  }

  get subtype(): string | undefined {
    return this.#field(SUBTYPE);
  }

  get requestId(): string | undefined {
    return this.#field(REQUEST_ID);
  }

  get parentToolUseId(): string | undefined {
    return this.#lateField(PARENT_TOOL_USE_ID);
  }

  #lateField(field: number): string | undefined {
    const found = trailingField(this.#bytes, field);
    return found === undefined ? this.#field(field) : (found ?? undefined);
  }

  #field(field: number): string | undefined {
    const spans = this.#scanned();
    const end = spans[2 * field + 1] ?? 0;
    return end === 0 ? undefined : jsonText(this.#bytes, spans[2 * field] ?? 0, end);
  }

  #scanned(): FieldSpans {
    this.#spans ??= scanFields(this.#bytes) ?? [];
    return this.#spans;
  }
}

/** The types of nearly all lines: to compare bytes with one takes a fifth of what making a text of them does. */
const USUAL_TYPES = ['stream_event', 'assistant', 'user', 'system', 'result', 'keep_alive'];

function typeText(bytes: Uint8Array, start: number, end: number): string {
  for (const type of USUAL_TYPES) if (isNamed(bytes, start, end, type)) return type;
  return jsonText(bytes, start, end);
}

function leadingType(bytes: Uint8Array): string | undefined {
  for (let at = 0; at < LEADING_TYPE.length; at += 1) {
    if (bytes[at] !== LEADING_TYPE.charCodeAt(at)) return undefined;
  }
  const end = bytes.indexOf(QUOTE, LEADING_TYPE.length);
  if (end === -1 || bytes[end - 1] === BACKSLASH) return undefined;
  return typeText(bytes, LEADING_TYPE.length, end);
}

/**
 * Walk the last members of an object backwards while their values are strings, numbers or literals.
 * Sound because the byte before a closing brace, a comma or a colon ends a complete token. A quote inside of a
 * string cannot be taken for its first: it has a backslash where that one has a colon, a comma or a brace.
 * Null for a field that is there and is no string.
 */
function trailingField(bytes: Uint8Array, field: number): string | null | undefined {
  let at = bytes.length - 1;
  if (bytes[at] !== CLOSE_BRACE) return undefined;
  const floor = Math.max(0, at - TAIL_BYTES);
  for (;;) {
    const valueEnd = at;
    const isString = bytes[at - 1] === QUOTE;
    const colon = isString ? openingQuote(bytes, at - 1, floor) - 1 : startOfLiteral(bytes, at) - 1;
    if (bytes[colon] !== COLON || bytes[colon - 1] !== QUOTE) return undefined;
    const keyStart = openingQuote(bytes, colon - 1, floor) + 1;
    const before = bytes[keyStart - 2];
    if (before !== COMMA && before !== OPEN_BRACE) return undefined;
    // Only a parser can tell what it means.
    if (hasEscape(bytes, keyStart, colon - 1)) return undefined;
    if (isNamed(bytes, keyStart, colon - 1, FIELDS[field] ?? '')) {
      return isString ? jsonText(bytes, colon + 2, valueEnd - 1) : null;
    }
    at = keyStart - 2;
  }
}

/** The last quote before the one that closes a string; -1 when it is too far off. */
function openingQuote(bytes: Uint8Array, close: number, floor: number): number {
  let at = close - 1;
  while (at >= floor && bytes[at] !== QUOTE) at -= 1;
  return at >= floor ? at : -1;
}

function startOfLiteral(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && isLiteralByte(bytes[at - 1] ?? 0)) at -= 1;
  return at;
}

/** Letters, digits, signs and the dot: what `null`, `true`, `false` and numbers are written in. */
function isLiteralByte(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2b && byte <= 0x39 && byte !== COMMA) || byte === 0x45;
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function isNamed(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = start; at < end; at += 1) if (bytes[at] !== name.charCodeAt(at - start)) return false;
  return true;
}
