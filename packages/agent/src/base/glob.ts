import picomatch from 'picomatch';

/** Names that begin with a dot are like any other; `(`, `|` and `+` mean themselves, as they do in a shell. */
const OPTIONS = { dot: true, noextglob: true, nonegate: true, posix: true, strictSlashes: true };

/**
 * Tells which paths a glob is for: `*` and `?` stay inside of a name, `**` crosses folders, `[a-z]` and `[!a]` are sets,
 * `{a,b}` are alternatives.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  // The library passes groups on to the regular expression, where (a+)+ takes for ever.
  const plain = glob.replaceAll(/\\.|[()|+]/gs, (text) => (text.length === 1 ? `\\${text}` : text));
  return picomatch(plain, OPTIONS);
}
