const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** With this bit, `[` is `{` and `]` is `}`. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Counts the levels of JSON that arrives in chunks: as one value, or as events that end with an empty line. */
export class LevelCounter {
  #open = 0;
  #state: 'between' | 'text' | 'escape' = 'between';
  #isLineEmpty = true;

  /** The greatest number of brackets that were open at once while the chunk was read. */
  deepestIn(chunk: Uint8Array, isEvents: boolean): number {
    let deepest = this.#open;
    for (const byte of chunk) {
      if (byte === NEWLINE) {
        // No JSON text goes over the end of a line; one that a comment opened must not hide what follows.
        this.#state = 'between';
        if (isEvents && this.#isLineEmpty) this.#open = 0;
        this.#isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) this.#isLineEmpty = false;
      if (this.#state === 'escape') this.#state = 'text';
      else if (this.#state === 'text') {
        if (byte === QUOTE) this.#state = 'between';
        else if (byte === BACKSLASH) this.#state = 'escape';
      } else if (byte === QUOTE) this.#state = 'text';
      else if ((byte | BRACE_BIT) === OPENING) deepest = Math.max(deepest, (this.#open += 1));
      else if ((byte | BRACE_BIT) === CLOSING) this.#open -= 1;
    }
    return deepest;
  }
}
