import type { ShellWord } from './static-word.ts';
import { ANY_NAME, type WordText, type WordValues } from './word-values.ts';

/** A file or folder that a line looks at. */
export interface PathRead {
  /** As written, with {@link ANY_NAME} for what a pattern leaves open. */
  readonly path: string;
  /** Set if everything below is read: only visible files, all files, also what links lead to, or what git tracks. */
  readonly below?: 'visible' | 'files' | 'links' | 'tracked';
  /** Only files below whose names end so are read; all if undefined. */
  readonly endings?: readonly string[];
  /** Set if the path begins at the top of the repository around this folder: `HEAD:a` in `b` is not `b/a`. */
  readonly topOf?: string;
  /** Whether a file's name could be taken for another word: one that begins with a dash, or has white space. */
  readonly hazard?: 'dash' | 'space';
}

/** What is known to only read: a program, or a subcommand of one. */
export interface ReadingProgram {
  /** Why it is here. */
  readonly why: string;
  /** The options that keep it so: `-ab` two without a value, `-n=` with a text, `-f<` with a file, `--color?` with a text after `=` or none. */
  readonly options?: string;
  /** What its operands are. `anything`: there are no options, every word is a text. `pattern`: the first one is a text unless one of `patterns` is given, the others files. */
  readonly operands: 'none' | 'text' | 'files' | 'pattern' | 'anything';
  /** The options after which the first operand is a file too. */
  readonly patterns?: string;
  /** How many operands it may have: one more would be written to. */
  readonly atMost?: number;
  /** Whether the value of a short option is always the next word, with more options where others have it: `tree -Lo 2 file`. */
  readonly apart?: boolean;
  /** Whether no two options share a word: what follows the first letter of `xxd -ps` is not looked at. */
  readonly alone?: boolean;
  /** Whether `-5` is an option. */
  readonly counts?: boolean;
  /** The options with which it reads all below a folder; `always` if it does so without any. */
  readonly recursive?: string;
  /** The options with which it follows links below. */
  readonly following?: string;
  /** The options with which it reads hidden files below; without this it always does. */
  readonly hidden?: string;
  /** The options with patterns of the files below that it reads, hidden ones that fit among them; `!` begins one of files that it does not. */
  readonly globs?: string;
  /** What an operand begins with that names a file with more arguments. */
  readonly argumentFiles?: string;
  /** The options without which it takes no operands. */
  readonly listing?: string;
  /** Whether a rule may allow it with any argument, apart from those that a rule has to spell out. */
  readonly anyArgument?: boolean;
}

/** What a program reads; or why it is not known to only read, with what is known of its reads. */
export type Survey =
  | { readonly reads: readonly PathRead[] }
  | {
      readonly refusal: string;
      readonly reads?: readonly PathRead[];
      /** Whether a rule for the program does not cover it either. */
      readonly isConcern?: true;
    };

/** The arguments of a program in the way of its row. */
export interface ReadArguments {
  readonly options: ReadonlySet<string>;
  readonly operands: readonly WordValues[];
  /** The files that options name. */
  readonly files: readonly PathRead[];
  /** The texts that options have, by option. */
  readonly texts: readonly (readonly [option: string, value: WordValues])[];
}

type OptionKind = 'flag' | 'text' | 'file' | 'attached';

const KINDS = { '=': 'text', '<': 'file', '?': 'attached' } as const;
const compiled = new WeakMap<ReadingProgram, ReadonlyMap<string, OptionKind>>();

/** The options whose value may be a pattern without quotes: people write `--include *.ts`. */
const PATTERN_OPTIONS = new Set(['--include', '--exclude', '--exclude-dir', '-g', '--glob', '--iglob']);

const UNKNOWN_ARGUMENT = 'has an argument that is only known when it runs';

/** Takes arguments apart; a text that says why they are not understood. */
export function readArguments(row: ReadingProgram, args: readonly WordValues[]): ReadArguments | string {
  const kinds = optionKinds(row);
  const options = new Set<string>();
  const operands: WordValues[] = [];
  const files: PathRead[] = [];
  const texts: [string, WordValues][] = [];
  const takesAnyWord = row.operands === 'text' && row.anyArgument === true;
  let at = 0;
  const take = (option: string, value: WordValues | undefined): boolean => {
    if (value === undefined || value === 'words' || value === 'any') return false;
    // Outside of GNU options end where operands begin: in `head a -n b` all three are files.
    if (operands.length > 0 && value === args[at] && typeof value !== 'string')
      files.push(...value.map(pathRead));
    if (kinds.get(option) !== 'file') {
      // All but the first of the files that a pattern fits become operands.
      if (isPattern(value) && !(PATTERN_OPTIONS.has(option) && !startsWithDash(value))) return false;
      files.push(...listedNames(value));
      texts.push([option, value]);
    } else if (typeof value === 'string' || isPattern(value)) return false;
    else files.push(...value.map(pathRead));
    return true;
  };
  for (; at < args.length; at++) {
    const values = args[at] ?? 'any';
    const word = single(values) ?? longOption(values);
    if (word === '--') {
      const rest = args.slice(at + 1);
      if (rest.some((value) => typeof value === 'string') && !takesAnyWord) return UNKNOWN_ARGUMENT;
      operands.push(...rest);
      break;
    }
    if (typeof values === 'string' && (values === 'any' || !takesAnyWord)) return UNKNOWN_ARGUMENT;
    if (word === undefined) {
      if (startsWithDash(values)) return 'has an option that is only known when it runs';
      operands.push(values);
      continue;
    }
    if (!word.startsWith('-') || word === '-') operands.push(values);
    else if (row.counts && /^-\d+$/.test(word)) options.add('-0');
    else if (word.startsWith('--')) {
      const [name = '', ...rest] = word.split('=');
      const kind = kinds.get(name);
      if (kind === undefined || (kind === 'flag' && rest.length > 0)) return `has the option ${name}`;
      options.add(name);
      if (kind === 'flag' || (kind === 'attached' && rest.length === 0)) continue;
      if (!take(name, rest.length > 0 ? knownText(rest.join('=')) : args[++at]))
        return `has the option ${name} without a known value`;
    } else if (kinds.get(word) === 'flag') options.add(word);
    else {
      for (let letter = 1; letter < word.length; letter++) {
        const name = `-${word[letter]}`;
        const kind = kinds.get(name);
        if (kind === undefined) return `has the option ${name}`;
        options.add(name);
        const rest = word.slice(letter + 1);
        if (row.alone && !/^\d*$/.test(rest)) return `has the option ${word}`;
        if (kind === 'flag') continue;
        if (row.apart && rest !== '') return `has the option ${word}`;
        if (kind === 'attached' && rest === '') continue;
        if (!take(name, rest === '' ? args[++at] : knownText(rest)))
          return `has the option ${name} without a known value`;
        break;
      }
    }
  }
  return { options, operands, files, texts };
}

/** The arguments that a row does not know: unknown words, options, and operands of which there are too many. */
export function unknownArguments(row: ReadingProgram, args: readonly ShellWord[]): ShellWord[] {
  const kinds = optionKinds(row);
  // In `rg -e -- --pre=x` the first `--` is the pattern.
  const end = args.findIndex((arg, at) => arg === '--' && !takesNext(kinds, args[at - 1]));
  const unknown = args.filter((arg, at) => {
    if (arg === undefined) return row.operands !== 'text' || !row.anyArgument;
    if (row.argumentFiles && arg.startsWith(row.argumentFiles)) return true;
    if (!arg.startsWith('-') || arg === '-' || (end !== -1 && at >= end)) return false;
    if (row.counts && /^-\d+$/.test(arg)) return false;
    if (arg.startsWith('--')) return arg !== '--' && !kinds.has(arg.split('=')[0] ?? '');
    for (const letter of arg.slice(1)) {
      const kind = kinds.get(`-${letter}`);
      if (kind === undefined) return true;
      if (kind !== 'flag') return false;
    }
    return false;
  });
  const operands = args.filter((arg) => arg !== undefined && !arg.startsWith('-'));
  return [...unknown, ...operands.slice(row.atMost ?? operands.length)];
}

/** Whether the word after this one may be the value of an option in it. */
function takesNext(kinds: ReadonlyMap<string, OptionKind>, word: ShellWord): boolean {
  if (word === undefined) return true;
  if (!word.startsWith('-')) return false;
  const kind = kinds.get(word.startsWith('--') ? word : `-${word.at(-1)}`);
  return kind === 'text' || kind === 'file';
}

/** What a program of the table reads when it is called with these arguments. */
export function surveyArguments(row: ReadingProgram, args: readonly WordValues[]): Survey {
  if (row.operands === 'anything') return surveyTexts(args);
  const read = readArguments(row, args);
  if (typeof read === 'string') return { refusal: read, reads: args.flatMap(likelyFiles) };
  const { options, files, operands } = read;
  const has = (names: string | undefined): boolean =>
    names?.split(' ').some((name) => options.has(name)) ?? false;
  if (row.operands === 'text') return { reads: [...files, ...operands.flatMap(listedNames)] };
  if (row.operands === 'none' && operands.length > 0 && !has(row.listing))
    return { refusal: 'has an operand' };
  const { atMost } = row;
  if (atMost !== undefined && (operands.length > atMost || operands.some(isPattern)))
    return { refusal: 'may have one operand too many' };
  const isText = (row.operands === 'pattern' && !has(row.patterns)) || row.operands === 'none';
  const paths = isText ? operands.slice(row.operands === 'none' ? operands.length : 1) : operands;
  const reads = readsOf(paths);
  if (!reads) return { refusal: UNKNOWN_ARGUMENT };
  const { argumentFiles } = row;
  if (argumentFiles && args.some((arg) => mayStartWith(argumentFiles, arg)))
    return { refusal: 'may get more arguments from a file' };
  const patterns = isText ? operands.flatMap(listedNames) : [];
  if (row.recursive !== 'always' && !has(row.recursive)) return { reads: [...files, ...patterns, ...reads] };
  const endings = endingsOf(row, read);
  const readsHidden = row.hidden === undefined || has(row.hidden) || endings !== undefined;
  const below = has(row.following) ? 'links' : readsHidden ? 'files' : 'visible';
  const folders = reads.length > 0 ? reads : [{ path: '.' }];
  const how = { below, ...(endings && { endings }) } as const;
  return { reads: [...files, ...patterns, ...folders.map((folder) => ({ ...folder, ...how }))] };
}

/** Words that are only printed or counted: a pattern among them still shows the names of files. */
export function surveyTexts(words: readonly WordValues[]): Survey {
  return words.includes('any')
    ? { refusal: 'may show files by a pattern that is only known when it runs', isConcern: true }
    : { reads: words.flatMap(listedNames).map(({ path }) => ({ path })) };
}

/** How the names end that fit the patterns of the command; undefined where it has none but of files that it does not read. */
function endingsOf(
  { globs }: ReadingProgram,
  { texts, options }: ReadArguments,
): readonly string[] | undefined {
  const ignoresCase = options.has('--glob-case-insensitive');
  const patterns = texts.filter(([option]) => globs?.split(' ').includes(option));
  const wanted = patterns.filter(([, value]) => !single(value)?.startsWith('!'));
  if (wanted.length === 0) return undefined;
  return wanted.map(([option, value]) => {
    // Without regard to case, or not known: anything.
    if (option.startsWith('--i') || ignoresCase) return '';
    return /[^*?{}[\]\\/!,]*$/.exec(single(value) ?? '')?.[0] ?? '';
  });
}

/** The files that words name; undefined when one of them is not known. */
export function readsOf(words: readonly WordValues[]): readonly PathRead[] | undefined {
  const reads: PathRead[] = [];
  for (const values of words) {
    if (typeof values === 'string') return undefined;
    reads.push(...values.filter(({ text: name }) => name !== '-').map(pathRead));
  }
  return reads;
}

/** What a word may name where the command is not understood: a rule for its program still does not cover files elsewhere. */
function likelyFiles(values: WordValues): readonly PathRead[] {
  return typeof values === 'string' ? [] : values.filter(({ text }) => !text.startsWith('-')).map(pathRead);
}

/** The files whose names a word shows that is only a text: those that its pattern fits. */
export function listedNames(values: WordValues): readonly PathRead[] {
  return typeof values === 'string' ? [] : values.filter(({ text }) => text.includes(ANY_NAME)).map(pathRead);
}

/** Whether a word may become several. */
export function isPattern(values: WordValues): boolean {
  return typeof values !== 'string' && values.some((value) => value.isPattern);
}

function mayStartWith(mark: string, values: WordValues): boolean {
  return (
    typeof values === 'string' ||
    values.some(({ text }) => text.startsWith(mark) || text.startsWith(ANY_NAME))
  );
}

function startsWithDash(values: WordValues): boolean {
  return typeof values !== 'string' && values.some(({ text }) => text.startsWith('-'));
}

/** The text of a word that can only be one. */
export function single(values: WordValues | undefined): string | undefined {
  if (values === undefined || typeof values === 'string' || values.length !== 1) return undefined;
  const [first] = values;
  return first && !first.text.includes(ANY_NAME) ? first.text : undefined;
}

/** `--include=*.ts`: whatever files there are, it stays this option. */
function longOption(values: WordValues): string | undefined {
  if (typeof values === 'string' || values.length !== 1) return undefined;
  const [first] = values;
  return first && /^--[\w-]+=/.test(first.text) ? first.text : undefined;
}

export function pathRead({ text: path, splits }: WordText): PathRead {
  if (!path.includes(ANY_NAME)) return { path };
  return splits ? { path, hazard: 'space' } : path.startsWith(ANY_NAME) ? { path, hazard: 'dash' } : { path };
}

function knownText(value: string): WordValues {
  return [{ text: value, splits: false, isPattern: false }];
}

function optionKinds(row: ReadingProgram): ReadonlyMap<string, OptionKind> {
  const before = compiled.get(row);
  if (before) return before;
  const kinds = new Map<string, OptionKind>([
    ['--help', 'flag'],
    ['--version', 'flag'],
  ]);
  for (const word of row.options?.split(/\s+/) ?? []) {
    const mark = word.at(-1) ?? '';
    const kind = mark === '=' || mark === '<' || mark === '?' ? KINDS[mark] : 'flag';
    const name = kind === 'flag' ? word : word.slice(0, -1);
    if (name.startsWith('--')) kinds.set(name, kind);
    else for (const letter of name.slice(1)) kinds.set(`-${letter}`, kind);
  }
  compiled.set(row, kinds);
  return kinds;
}
