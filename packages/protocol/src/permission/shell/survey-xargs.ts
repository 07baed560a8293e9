import { type SurveyCommand, surveyWithFound } from './found-files.ts';
import { READING_GIT } from './reading-git.ts';
import { type PathRead, type ReadingProgram, readArguments, type Survey, single } from './reading-options.ts';
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
  if (!listsFiles(source)) return undefined;
  const listing = survey(source.values, source);
  if ('refusal' in listing) return undefined;
  // Of its input it prints no file's name.
  const isFed = listing.reads.length === 0 || source.values.some((value) => single(value) === '-');
  return isFed ? undefined : listing.reads;
}

/** Programs that print the names of files, the options with which they do, and those that add nothing else. */
const LISTING: Readonly<Record<string, { row: ReadingProgram | undefined; listing?: RegExp; kept: RegExp }>> =
  {
    grep: {
      row: READING_PROGRAMS.grep,
      listing: /^(?:-l|--files-with-matches)$/,
      kept: /^(?:-[rRinwxvEFPGshHeyaIzZ]|--(?:recursive|dereference-recursive|ignore-case|line-number|word-regexp|line-regexp|invert-match|extended-regexp|fixed-strings|perl-regexp|no-messages|include|exclude|exclude-dir|regexp|null))$/,
    },
    rg: {
      row: READING_PROGRAMS.rg,
      listing: /^(?:-l|--files|--files-with-matches)$/,
      kept: /^(?:-[inSswvxFHeguUtTL.0NP]|--(?:hidden|no-ignore|no-ignore-vcs|no-ignore-parent|glob|iglob|glob-case-insensitive|type|type-not|ignore-case|smart-case|case-sensitive|line-number|word-regexp|line-regexp|fixed-strings|invert-match|regexp|follow|sort|sortr|max-depth|null|no-messages|unrestricted|multiline|pcre2|no-config))$/,
    },
    git: {
      row: READING_GIT['ls-files'],
      kept: /^(?:-[cdmoikxz]|--(?:cached|deleted|modified|others|ignored|killed|directory|no-empty-directory|exclude|exclude-standard|error-unmatch|recurse-submodules|deduplicate))$/,
    },
  };

/** Whether a command prints the names of files and nothing else, all of them in folders that it names. */
function listsFiles({ values }: ShellCommand): boolean {
  const [first, ...args] = values;
  const program = single(first) ?? '';
  if (program === 'find') return !args.some((arg) => /^-(?:printf|ls|exec)$/.test(single(arg) ?? ''));
  const { row, listing, kept } = Object.hasOwn(LISTING, program)
    ? (LISTING[program] ?? NO_LISTING)
    : NO_LISTING;
  if (program === 'git' && single(args.shift()) !== 'ls-files') return false;
  const read = row && readArguments(row, args);
  if (!read || typeof read === 'string') return false;
  const options = [...read.options];
  // `:/` is the top of the repository.
  const isElsewhere =
    program === 'git' && read.operands.some((operand) => single(operand)?.startsWith(':') ?? true);
  return (
    !isElsewhere &&
    (listing === undefined || options.some((option) => listing.test(option))) &&
    options.every((option) => listing?.test(option) || kept.test(option))
  );
}

const NO_LISTING = { row: undefined, listing: undefined, kept: /^$/ };

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
