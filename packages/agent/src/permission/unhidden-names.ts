import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { matchesPieces } from '@signalbox/protocol';

/** Files with patterns that ripgrep obeys. One that begins with `!` shows files, hidden ones among them. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'];

/** Says which hidden names ripgrep reads all the same, by the files of one folder; undefined where it reads none. */
export function unhiddenNames(folder: string): ((name: string) => boolean) | undefined {
  const patterns = IGNORE_FILES.flatMap((name) => shownNames(join(folder, name)));
  return patterns.length > 0
    ? (name) => patterns.some((pieces) => matchesPieces(pieces, name.toLowerCase()))
    : undefined;
}

/** The same by the files of all folders around one. */
export function unhiddenAround(folder: string): ((name: string) => boolean)[] {
  const found: ((name: string) => boolean)[] = [];
  for (let at = dirname(folder); ; at = dirname(at)) {
    const names = unhiddenNames(at);
    if (names) found.push(names);
    if (at === dirname(at)) return found;
  }
}

/** The last names of the patterns that show files, at least as wide as they are: what stands around each wildcard. */
function shownNames(file: string): readonly string[][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => /[^/!]*\/?$/.exec(line.trim())?.[0].replace(/\/$/, '') ?? '')
    .map((name) => name.toLowerCase().split(/(?:\[[^\]]*\]|[*?[\]\\])+/));
}
