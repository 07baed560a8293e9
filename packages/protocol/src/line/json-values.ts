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
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at + 1);
      count += 1;
    } else if (MARKS.has(code)) count += 1;
  }
  return count > most;
}

/** Near quotes are found by looking, far ones by searching: strings are short, or very long. */
function closingQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (at % NEAR === 0) at = Math.min(nextOf(text, '"', at), nextOf(text, '\\', at));
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function nextOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from);
  return found === -1 ? text.length : found;
}
