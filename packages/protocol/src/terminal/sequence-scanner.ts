type State = 'ground' | 'escape' | 'csi' | 'osc' | 'string' | 'utf8';

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;

/** What follows ESC, or is a C1 control in UTF-8 (0xC2 and the same plus 0x40), and begins a longer sequence. */
const OPENERS: ReadonlyMap<number, State> = new Map([
  [0x5b, 'csi'],
  [0x5d, 'osc'],
  // DCS, SOS, PM and APC end alike.
  [0x50, 'string'],
  [0x58, 'string'],
  [0x5e, 'string'],
  [0x5f, 'string'],
]);

/**
 * Follows the bytes of a terminal from one control sequence to the next. It draws nothing: it knows where a sequence or a
 * character begins that is not complete, and where one ends. Offsets count all bytes since the beginning.
 */
export class SequenceScanner {
  #state: State = 'ground';
  #start = 0;
  #offset = 0;
  /** Bytes of a character that are still to come. */
  #missing = 0;
  #last = 0;

  /** `offset` is the number of the first byte. */
  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** Everything before this is complete. */
  get complete(): number {
    return this.#state === 'ground' ? this.#offset : this.#start;
  }

  /** Go on; `onSequence` is told of each control sequence that ends, by its first byte and the one after its last. */
  push(bytes: Uint8Array, onSequence?: (start: number, end: number) => void): void {
    const first = this.#offset;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      this.#offset = first + at + 1;
      // Text: nearly all there is.
      if (this.#state === 'ground' && byte < 0x80 && byte !== ESC) continue;
      this.#step(byte, onSequence);
      this.#last = byte;
    }
  }

  #step(byte: number, onSequence?: (start: number, end: number) => void): void {
    const state = this.#state;
    if (byte === ESC) {
      // It ends a string as well; what follows belongs to a sequence of its own.
      if (state === 'osc' || state === 'string') onSequence?.(this.#start, this.#offset - 1);
      this.#begin('escape');
    } else if (byte === CAN || byte === SUB) this.#state = 'ground';
    else if (state === 'ground') this.#character(byte);
    else if (state === 'utf8') this.#continued(byte);
    else if (this.#endsWith(byte)) {
      this.#state = 'ground';
      onSequence?.(this.#start, this.#offset);
    } else if (state === 'escape') this.#state = OPENERS.get(byte) ?? 'escape';
  }

  #begin(state: State): void {
    this.#state = state;
    this.#start = this.#offset - 1;
  }

  /** Whether a byte ends the sequence that it is in. */
  #endsWith(byte: number): boolean {
    switch (this.#state) {
      case 'escape':
        return byte >= 0x30 && byte <= 0x7e && (this.#last !== ESC || !OPENERS.has(byte));
      case 'csi':
        return byte >= 0x40 && byte <= 0x7e;
      case 'osc':
        return byte === BEL || (byte === 0x9c && this.#last === 0xc2);
      default:
        return byte === 0x9c && this.#last === 0xc2;
    }
  }

  #character(byte: number): void {
    if (byte < 0xc2 || byte > 0xf4) return;
    this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#begin('utf8');
  }

  #continued(byte: number): void {
    if (byte < 0x80 || byte > 0xbf) {
      // What was begun is no character.
      this.#state = 'ground';
      if (byte >= 0x80) this.#character(byte);
      return;
    }
    this.#missing -= 1;
    if (this.#missing > 0) return;
    const control = this.#last === 0xc2 ? OPENERS.get(byte - 0x40) : undefined;
    this.#state = control ?? 'ground';
  }
}
