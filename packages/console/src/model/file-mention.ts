/** The path of a file that is being written behind an `@`. */
export interface FileMention {
  /** Where its `@` stands, and where what is written of it ends. */
  from: number;
  to: number;
  /** What is written of its path. */
  query: string;
}

/** Longer ones are no paths that somebody types. */
const MAX_QUERY = 200;

/** The mention that the caret is at the end of; an `@` within a word is an address. */
export function mentionAt(text: string, caret: number): FileMention | undefined {
  const [, query] = /(?:^|\s)@([^\s@"]*)$/.exec(text.slice(0, caret)) ?? [];
  if (query === undefined || query.length > MAX_QUERY) return undefined;
  // In the middle of a word something else is being changed.
  if (/^[^\s]/.test(text.slice(caret))) return undefined;
  return { from: caret - query.length - 1, to: caret, query };
}

/** The text with the whole path in the place of the mention, and where the caret goes on. */
export function withPath(
  text: string,
  { from, to }: FileMention,
  path: string,
): { text: string; caret: number } {
  const named = /\s/.test(path) ? `@"${path}"` : `@${path}`;
  const rest = text.slice(to);
  const gap = /^\s/.test(rest) ? '' : ' ';
  return { text: `${text.slice(0, from)}${named}${gap}${rest}`, caret: from + named.length + 1 };
}

/** Whether a path has the letters in their order. */
export function hasInOrder(path: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = path.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
