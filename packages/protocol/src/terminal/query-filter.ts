import { SequenceScanner } from './sequence-scanner.ts';

/** How much of a sequence is held back until it is whole; a longer one is no query. */
const HELD_BYTES = 4096;

/** What a terminal would answer, after ESC: what it is, where its cursor is, what is set, its colours, its size. */
const QUERIES: readonly RegExp[] = [
  /^\[[?>=]?[\d;]*c$/,
  /^\[\??[\d;]*n$/,
  /^\[\??\d*\$p$/,
  /^\[>\d*q$/,
  /^\[\?u$/,
  /^\[\d?x$/,
  /^\[(?:1[13-9]|2[01])(?:;\d*)*t$/,
  /^\](?:[\d;]*|52;\w*;)\?$/,
  /^P[$+]q/,
  /^Z$/,
];

const BEL = 0x07;
/** The first of the two bytes of a C1 control, which is ESC and a letter in one. */
const C1_LEAD = 0xc2;

/**
 * Takes the questions out of what a program writes to a terminal. Whoever owns the program's terminal has answered them:
 * another answer, from everybody who looks, would be typed into the program.
 */
export class QueryFilter {
  #scanner = new SequenceScanner();
  /** The number of the first byte that was not given out. */
  #base = 0;
  #held: Uint8Array = new Uint8Array(0);

  /** What of the output can be shown by now. */
  push(bytes: Uint8Array): Uint8Array {
    const held = this.#held;
    const data = held.length === 0 ? bytes : joined(held, bytes);
    const base = this.#base;
    const parts: Uint8Array[] = [];
    let from = 0;
    this.#scanner.push(bytes, (start, end) => {
      const [first, after] = [start - base, end - base];
      if (first < 0 || after - first > HELD_BYTES || !isQuery(data.subarray(first, after))) return;
      parts.push(data.subarray(from, first));
      from = after;
    });
    const complete = Math.max(from, this.#scanner.complete - base);
    const shown = data.length - complete > HELD_BYTES ? data.length : complete;
    this.#held = data.slice(shown);
    this.#base = base + shown;
    if (parts.length === 0) return data.subarray(0, shown);
    return joined(...parts, data.subarray(from, shown));
  }
}

function isQuery(bytes: Uint8Array): boolean {
  const content = bytes.at(-1) === BEL ? bytes.subarray(1, -1) : bytes.subarray(1);
  const [first = 0, ...rest] = content;
  const text = String.fromCharCode(bytes[0] === C1_LEAD ? first - 0x40 : first, ...rest);
  return QUERIES.some((query) => query.test(text));
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
