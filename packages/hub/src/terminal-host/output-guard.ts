import type { TerminalSize } from '@signalbox/protocol/hub';
import {
  BEL,
  bytesAfter,
  C1_LEAD,
  C1_OFFSET,
  CAN,
  ESC,
  endsCsi,
  endsEscape,
  isContinuation,
  OPENERS,
  SUB,
} from '@signalbox/protocol/terminal';

type State = 'ground' | 'escape' | 'csi' | 'long-csi' | 'osc' | 'string';

const DEL = 0x7f;

/** No program says more between `ESC [` and its last byte. */
const CSI_BYTES = 512;

/** Titles, addresses, colours. */
const OSC_BYTES = 8 * 1024;

/** What is long by nature: the clipboard, and files. */
const LONG_OSC = /^(?:52|1337);/;

/** As many as writing systems pile up on a letter, and more. */
const MARKS_IN_A_ROW = 32;

/** What takes no place of its own; the second range is Hangul, whose vowels join as well. */
const MARK = /[\p{M}\p{Cf}\u1160-\u11ff]/u;

/** A character may be repeated to the end of any line. */
const REPEATS = 1000;

/**
 * Takes out of what a program writes what costs a terminal out of all proportion: to scroll by two thousand million lines
 * hangs everything that draws it for hours, the pages of those who look included. What is left looks the same.
 */
export class OutputGuard {
  readonly #size: () => TerminalSize;
  #state: State = 'ground';
  /** What follows `ESC [` and was not given out yet. */
  #held: number[] = [];
  /** A character that is not complete, and how many bytes of it are still to come. */
  #char: number[] = [];
  #missing = 0;
  #marks = 0;
  #oscLength = 0;
  #oscStart = '';
  #out = Buffer.alloc(0);
  #length = 0;

  /** `size` is that of the terminal: nothing scrolls further than its screen. */
  constructor(size: () => TerminalSize) {
    this.#size = size;
  }

  /** What is to be drawn of it. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#state === 'ground' && this.#missing === 0 && isPlain(bytes)) {
      this.#marks = 0;
      return bytes;
    }
    this.#out = Buffer.allocUnsafe(this.#held.length + this.#char.length + 2 * bytes.length);
    this.#length = 0;
    for (const byte of bytes) this.#step(byte);
    const out = this.#out.subarray(0, this.#length);
    this.#out = Buffer.alloc(0);
    return out;
  }

  #step(byte: number): void {
    if (this.#missing > 0) return this.#continued(byte);
    // Inside of a sequence only a control, which ends it, is looked at as a character.
    const following = this.#state === 'ground' || byte === C1_LEAD ? bytesAfter(byte) : 0;
    if (following > 0) {
      this.#missing = following;
      this.#char = [byte];
      return;
    }
    this.#marks = 0;
    if (byte === ESC) this.#breakOff('escape', byte);
    else if (byte === CAN || byte === SUB) this.#breakOff('ground', byte);
    else this.#inState(byte);
  }

  /** Whatever sequence was under way is over, without effect. */
  #breakOff(state: State, ...bytes: number[]): void {
    this.#held = [];
    this.#give(...bytes);
    this.#state = state;
  }

  #inState(byte: number): void {
    switch (this.#state) {
      case 'ground':
        return this.#give(byte);
      case 'escape':
        this.#give(byte);
        if (OPENERS.has(byte)) return this.#open(byte);
        if (endsEscape(byte)) this.#state = 'ground';
        return;
      case 'csi':
        return this.#inCsi(byte);
      case 'long-csi':
        if (endsCsi(byte)) this.#state = 'ground';
        return;
      case 'osc':
        return this.#inOsc(byte);
      case 'string':
        return this.#give(byte);
    }
  }

  #open(opener: number): void {
    this.#state = OPENERS.get(opener) ?? 'ground';
    this.#held = [];
    this.#oscLength = 0;
    this.#oscStart = '';
  }

  #inCsi(byte: number): void {
    if (endsCsi(byte)) {
      this.#give(...this.#harmless(this.#held.splice(0), byte), byte);
      this.#state = 'ground';
    } else if (this.#held.push(byte) > CSI_BYTES) this.#breakOff('long-csi', CAN);
  }

  /** The parameters of a sequence, none of them larger than makes a difference. */
  #harmless(bytes: number[], final: number): number[] {
    const most = this.#mostOf(final);
    // What is no character at all is passed over: the digits around it are one number.
    const text = String.fromCharCode(...bytes.filter((byte) => byte >= 0x20 && byte < DEL));
    const cut = text.replaceAll(/\d+/g, (number) => (Number(number) > most ? String(most) : number));
    // Controls between the digits are carried out, and end nothing.
    return [...bytes.filter((byte) => byte < 0x20), ...Buffer.from(cut, 'latin1')];
  }

  #mostOf(final: number): number {
    const { cols, rows } = this.#size();
    switch (String.fromCharCode(final)) {
      case 'L':
      case 'M':
      case 'S':
      case 'T':
        return rows;
      case 'I':
      case 'Z':
        return cols;
      case 'b':
        return REPEATS;
      default:
        return Number.POSITIVE_INFINITY;
    }
  }

  #inOsc(byte: number): void {
    this.#oscLength += 1;
    if (this.#oscStart.length < 5) this.#oscStart += String.fromCharCode(byte);
    if (byte === BEL) this.#state = 'ground';
    if (byte === BEL || this.#oscLength <= OSC_BYTES || LONG_OSC.test(this.#oscStart)) this.#give(byte);
  }

  #continued(byte: number): void {
    if (!isContinuation(byte)) {
      // What was begun is no character.
      this.#missing = 0;
      for (const part of this.#char.splice(0)) this.#inState(part);
      return this.#step(byte);
    }
    this.#char.push(byte);
    this.#missing -= 1;
    if (this.#missing === 0) this.#character(this.#char.splice(0));
  }

  #character(bytes: number[]): void {
    const [lead, last = 0] = bytes;
    if (lead === C1_LEAD && last < 0xa0) {
      this.#marks = 0;
      this.#breakOff('ground', ...bytes);
      if (OPENERS.has(last - C1_OFFSET)) this.#open(last - C1_OFFSET);
      return;
    }
    if (this.#state !== 'ground') return bytes.forEach((byte) => this.#inState(byte));
    this.#marks = MARK.test(Buffer.from(bytes).toString()) ? this.#marks + 1 : 0;
    if (this.#marks <= MARKS_IN_A_ROW) this.#give(...bytes);
  }

  #give(...bytes: number[]): void {
    for (const byte of bytes) this.#out[this.#length++] = byte;
  }
}

/** Nearly all there is: text and line ends. */
function isPlain(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte === ESC || byte >= 0x80) return false;
  return true;
}
