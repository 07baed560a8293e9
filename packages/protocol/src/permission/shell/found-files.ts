import { type PathRead, type Survey, single } from './reading-options.ts';
import type { ShellCommand } from './shell-line.ts';
import type { WordText, WordValues } from './word-values.ts';

/** How a command is judged; handed over to programs that run another one. */
export type SurveyCommand = (values: readonly WordValues[], command: ShellCommand) => Survey;

/** Programs that may do more with an argument than read the file of that name, or that run another program. */
const MORE_THAN_FILES = new Set(
  'cd read xargs git find awk gawk mawk jq sed command nice timeout printf strings'.split(' '),
);

/** A file that was found. */
const FOUND: WordText = { text: './found', splits: false, isPattern: false };

/** What a command reads that gets the names of found files: at its end, or in the place of a word. */
export function surveyWithFound(
  inner: readonly WordValues[],
  replaced: string | undefined,
  found: readonly PathRead[],
  survey: (words: readonly WordValues[]) => Survey,
): Survey {
  if (inner.length === 0 || MORE_THAN_FILES.has(single(inner[0]) ?? ''))
    return { refusal: 'runs a program that takes more than files' };
  const words = withFound(inner, replaced);
  if (!words) return { refusal: 'makes other words of the names that it finds' };
  const read = survey(words);
  if ('refusal' in read) return read;
  const reads = read.reads.filter(({ path }) => path !== FOUND.text);
  return { reads: [...reads, ...found.map((folder) => ({ ...folder, below: 'links' }) as const)] };
}

/** The command with a found file in its place; undefined where a name becomes a part of another word: `{}/../x`. */
function withFound(
  inner: readonly WordValues[],
  replaced: string | undefined,
): readonly WordValues[] | undefined {
  // As many words as there are files, like a pattern.
  const many = [{ ...FOUND, isPattern: true }];
  if (replaced === undefined) return [...inner, many];
  if (inner.some((word) => typeof word === 'string')) return undefined;
  const isPart = (word: WordValues): boolean =>
    typeof word !== 'string' && word.some(({ text }) => text !== replaced && text.includes(replaced));
  if (replaced === '' || inner.some(isPart)) return undefined;
  return inner.map((word) => (single(word) === replaced ? many : word));
}
