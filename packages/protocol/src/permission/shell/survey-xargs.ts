import { type SurveyCommand, surveyWithFound } from './found-files.ts';
import { type PathRead, readArguments, type Survey, single } from './reading-options.ts';
import { READING_PROGRAMS } from './reading-programs.ts';
import type { ShellCommand } from './shell-line.ts';
import type { WordValues } from './word-values.ts';

/** `find src | xargs wc`: a reading program is given files that another one found, all of them in known folders. */
export function surveyXargs(
  args: readonly WordValues[],
  command: ShellCommand,
  survey: SurveyCommand,
): Survey {
  let at = 0;
  let replaced: string | undefined;
  for (; at < args.length; at++) {
    const word = single(args[at]) ?? '';
    if (!word.startsWith('-')) break;
    if (/^-[nLPI]$/.test(word)) at++;
    else if (!/^(?:-[0rt]+|-[nLP]\d+|-I.+|--null|--no-run-if-empty)$/.test(word))
      return { refusal: 'has an option' };
    if (word.startsWith('-I')) replaced = word === '-I' ? single(args[at]) : word.slice(2);
  }
  const found = foundFiles(command, survey);
  if (!found) return { refusal: 'gets words that are only known when it runs' };
  // A file's name with white space would be cut into other words.
  const cut = found.map((folder) => ({ ...folder, hazard: 'space' }) as const);
  return surveyWithFound(args.slice(at), replaced, cut, (words) => survey(words, command));
}

/** The folders in which the files lie whose names a command is fed. */
function foundFiles(
  { feeders, redirects }: ShellCommand,
  survey: SurveyCommand,
): readonly PathRead[] | undefined {
  if (!redirects.every((redirect) => /^[12]?>\s*(?:&[12]|\/dev\/null)$/.test(redirect))) return undefined;
  if (!feeders.every((feeder) => feeder.redirects.every(isSilencing))) return undefined;
  const sources = [...feeders];
  while (passesLinesOn(sources.at(-1))) sources.pop();
  const source = sources.at(-1);
  if (!source) return undefined;
  const [program, ...args] = source.values.map(single);
  const lists =
    (program === 'find' && !args.some((arg) => /^-(?:printf|ls|exec)$/.test(arg ?? ''))) ||
    (program === 'git' && args[0] === 'ls-files') ||
    (program === 'rg' && args.some((arg) => /^(?:-l|--files|--files-with-matches)$/.test(arg ?? ''))) ||
    (program === 'grep' && args.some((arg) => /^-[a-z]*l[a-z]*$/.test(arg ?? '')));
  const listing = lists ? survey(source.values, source) : undefined;
  if (!listing || 'refusal' in listing) return undefined;
  if (program === 'git') return [{ path: '.' }];
  // Of its input it prints no file's name but a label: `grep -l --label=/etc/passwd`.
  const isFed = listing.reads.length === 0 || args.some((arg) => arg === '-' || arg?.startsWith('--lab'));
  return isFed ? undefined : listing.reads;
}

/** Complaints name files that do not exist: they must not be taken for files that were found. */
function isSilencing(redirect: string): boolean {
  return /^2>\s*\/dev\/null$/.test(redirect);
}

/**
 * Programs that pass on the lines they are fed as they are, with the options that keep it so: `tail -c 12` makes
 * `/etc/passwd` of `a/etc/passwd`, `uniq -c` adds a number, and a file among the arguments is read instead.
 */
const PASSING: Readonly<Record<string, RegExp>> = {
  head: /^-[nq]$/,
  tail: /^-[nq]$/,
  sort: /^(?:-[bdfghiMnRrVsukt]|--(?:unique|reverse|numeric-sort|version-sort|key|stable))$/,
  uniq: /^(?:-[diu]|--(?:unique|repeated|ignore-case))$/,
  grep: /^(?:-[vEFGPiwxe]|--(?:invert-match|extended-regexp|fixed-strings|ignore-case|regexp))$/,
  egrep: /^(?:-[viwxe])$/,
};

function passesLinesOn(command: ShellCommand | undefined): boolean {
  const [first, ...args] = command?.values ?? [];
  const program = single(first) ?? '';
  const row = READING_PROGRAMS[program];
  const kept = Object.hasOwn(PASSING, program) ? PASSING[program] : undefined;
  const read = row && kept ? readArguments(row, args) : undefined;
  if (!read || typeof read === 'string') return false;
  // A count like `head -20` has no letter of its own.
  if ([...read.options].some((option) => option !== '-0' && !kept?.test(option))) return false;
  const isPattern = row?.operands === 'pattern' && !['-e', '--regexp'].some((e) => read.options.has(e));
  return read.files.length === 0 && read.operands.length <= (isPattern ? 1 : 0);
}
