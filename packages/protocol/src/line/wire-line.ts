import { LIMITS } from '../limits.ts';
import { joinBytes } from './join-bytes.ts';
import { isTooDeep, JsonTooDeepError, parseJson, withoutDepths } from './json-depth.ts';
import { LineHead } from './line-head.ts';
import { utf8 } from './utf8.ts';

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** A line that is so long is not decoded to find out that it is too deep. */
const LONG_BYTES = 4 * 1024 * 1024;

/** A message, and what it wraps. */
const ENVELOPE_LEVELS = 2;

/**
 * The complete lines of one chunk, decoded together and at most once.
 * A newline byte is never part of a multi-byte character, so splitting the text splits the bytes alike.
 */
export class ChunkText {
  readonly #bytes: Uint8Array;
  #texts: string[] | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  line(ordinal: number): string {
    this.#texts ??= utf8.decode(this.#bytes).split('\n');
    const text = this.#texts[ordinal] ?? '';
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
}

/**
 * One line as it came over the wire, without its line end. It stays bytes until someone asks for text,
 * so passing a line on costs neither a decode nor a parse.
 *
 * The bytes are a view of the chunk they arrived in: copy them to keep a small line for long.
 */
export class WireLine {
  readonly byteLength: number;
  #chunk: Uint8Array;
  #start: number;
  /** Set instead of a chunk while a line that arrived in several chunks has not been joined. */
  #pieces: readonly Uint8Array[] | undefined;
  readonly #chunkText: ChunkText | undefined;
  readonly #ordinal: number;
  #head: LineHead | undefined;
  #isTooDeep: boolean | undefined;

  constructor(chunk: Uint8Array, start: number, end: number, chunkText?: ChunkText, ordinal = 0) {
    this.#chunk = chunk;
    this.#start = start;
    this.byteLength = end - start;
    this.#chunkText = chunkText;
    this.#ordinal = ordinal;
  }

  /** A line from text or bytes that hold no line end. */
  static of(content: string | Uint8Array): WireLine {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    return new WireLine(bytes, 0, bytes.byteLength);
  }

  /** A line that arrived in several chunks; they are joined when someone asks for the bytes as one run. */
  static ofPieces(pieces: readonly Uint8Array[]): WireLine {
    let byteLength = 0;
    for (const piece of pieces) byteLength += piece.byteLength;
    const line = new WireLine(NOTHING, 0, byteLength);
    line.#pieces = pieces;
    return line;
  }

  /** The parts the line arrived in, in order; nothing is copied. */
  pieces(): readonly Uint8Array[] {
    return this.#pieces ?? [this.bytes()];
  }

  /** The line as one run of bytes. */
  bytes(): Uint8Array {
    if (this.#pieces) {
      this.#chunk = joinBytes(this.#pieces);
      this.#pieces = undefined;
    }
    if (this.byteLength !== this.#chunk.byteLength) {
      this.#chunk = this.#chunk.subarray(this.#start, this.#start + this.byteLength);
      this.#start = 0;
    }
    return this.#chunk;
  }

  /** The line as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    return this.#chunkText ? this.#chunkText.line(this.#ordinal) : utf8.decode(this.bytes());
  }

  /** Whether it nests deeper than anybody reads: it can be kept and passed on, and not parsed. */
  get isTooDeep(): boolean {
    this.#isTooDeep ??= isTooDeep(this.bytes());
    return this.#isTooDeep;
  }

  /** The line as a JSON value. Throws {@link JsonTooDeepError}, and `SyntaxError` like `JSON.parse`. */
  json(): unknown {
    // To make a text of a long line takes more memory than to look at its bytes.
    if (this.byteLength > LONG_BYTES ? this.isTooDeep : this.#isTooDeep) throw new JsonTooDeepError();
    return parseJson(this.text());
  }

  /**
   * The line as a JSON value with a 0 in place of what is too deep: enough to tell whose it is. Of a long line no more than
   * that is read.
   */
  shallowJson(): unknown {
    const limit = this.byteLength > LONG_BYTES ? { most: ENVELOPE_LEVELS } : LIMITS.lineDepth;
    return JSON.parse(utf8.decode(withoutDepths(this.bytes(), limit)));
  }

  /** The fields that routing needs, read from the bytes without parsing the rest. */
  head(): LineHead {
    this.#head ??= new LineHead(this.bytes());
    return this.#head;
  }
}
