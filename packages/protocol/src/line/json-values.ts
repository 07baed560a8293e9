const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const NEAR = 64;

/** What begins a value or separates two, outside of strings: `{`, `[`, `,` and `:`. */
const MARKS: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x2c, 0x3a]);

/**
 * Whether JSON has more values than this. Long strings cost next to nothing, and it looks no further than it has to: a
 * parser would have to make all of them first.
 */
export function hasMoreValues(text: string, most: number): boolean {
  // Each takes two characters.
  if (text.length <= 2 * most) return false;
  const strings = new StringEnds(text);
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = strings.endFrom(at + 1);
      count += 1;
    } else if (MARKS.has(code)) count += 1;
  }
  return count > most;
}

/**
 * Where strings end, asked from the front to the back. What was searched for once is searched for again only behind the place where it
 * was found: otherwise a text with many of the one mark and none of the other nearby would cost the square of its length.
 */
class StringEnds {
  readonly #text: string;
  #quote = -1;
  #backslash = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The quote that closes the string whose first character is here. Near ones are found by looking, far ones by searching. */
  endFrom(start: number): number {
    const text = this.#text;
    for (let at = start; at < text.length; at += 1) {
      if (at % NEAR === 0) {
        if (this.#quote < at) this.#quote = nextOf(text, '"', at);
        if (this.#backslash < at) this.#backslash = nextOf(text, '\\', at);
        at = Math.min(this.#quote, this.#backslash);
      }
      const code = text.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
    return text.length;
  }
}

function nextOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from);
  return found === -1 ? text.length : found;
}
