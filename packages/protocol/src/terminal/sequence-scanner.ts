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
} from './control-bytes.ts';

type State = 'ground' | 'escape' | 'csi' | 'osc' | 'string' | 'utf8';

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
        return endsEscape(byte) && (this.#last !== ESC || !OPENERS.has(byte));
      case 'csi':
        return endsCsi(byte);
      case 'osc':
        return byte === BEL || (byte === 0x9c && this.#last === C1_LEAD);
      default:
        return byte === 0x9c && this.#last === C1_LEAD;
    }
  }

  #character(byte: number): void {
    this.#missing = bytesAfter(byte);
    if (this.#missing > 0) this.#begin('utf8');
  }

  #continued(byte: number): void {
    if (!isContinuation(byte)) {
      // What was begun is no character.
      this.#state = 'ground';
      if (byte >= 0x80) this.#character(byte);
      return;
    }
    this.#missing -= 1;
    if (this.#missing > 0) return;
    const control = this.#last === C1_LEAD ? OPENERS.get(byte - C1_OFFSET) : undefined;
    this.#state = control ?? 'ground';
  }
}
