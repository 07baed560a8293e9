import { READING_GIT, showsTrackedFiles } from './reading-git.ts';
import {
  listedNames,
  type PathRead,
  readArguments,
  readsOf,
  type Survey,
  single,
  surveyArguments,
} from './reading-options.ts';
import { FIND_FLAGS, FIND_VALUES, READING_PROGRAMS } from './reading-programs.ts';
import { onlyFiltersJq, onlyPrintsAwk, onlyPrintsSed } from './reading-scripts.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import type { WordValues } from './word-values.ts';

/** Something that a line reads, and the folders (from the one that it starts in) that it may be in by then. */
export interface LineRead extends PathRead {
  readonly from: readonly string[];
}

/** What a line looks at, as far as its programs are known. */
export interface LineSurvey {
  /** Why it is not known to only read; undefined if it does. */
  readonly refusal: string | undefined;
  /** What its known programs and redirections read, whether or not the rest is known. */
  readonly reads: readonly LineRead[];
  /** Where git is called: the settings of a repository can run programs. */
  readonly repositories: readonly LineRead[];
  /** Variables whose value it shows or uses, and that are not known to be harmless. */
  readonly variables: readonly string[];
  /** Words of programs that are not known, any of which may be a file. */
  readonly words: readonly LineRead[];
}

/** More folders than this at once are not followed. */
const MAX_FOLDERS = 8;

type Surveyor = (args: readonly WordValues[], command: ShellCommand) => Survey;

/** What the line reads; with a reason unless everything in it is known to only read. */
export function surveyLine(line: ShellLine): LineSurvey {
  const reads: LineRead[] = [];
  const repositories: LineRead[] = [];
  const words: LineRead[] = [];
  let from: readonly string[] = ['.'];
  let refusal = line.unreadable ?? line.hazards[0] ?? line.oddity;
  for (const command of line.commands) {
    const survey = surveyCommand(command.values, command);
    const placed = (paths: readonly PathRead[]): LineRead[] => paths.map((path) => ({ ...path, from }));
    if ('refusal' in survey) {
      refusal ??= `${single(command.values[0]) ?? 'a program'} ${survey.refusal}`;
      words.push(...placed(command.values.slice(1).flatMap(pathsIn)));
    }
    reads.push(...placed(survey.reads ?? []));
    if (!('refusal' in survey)) {
      if (isGit(command)) repositories.push(...placed(gitFolders(command)));
    }
    const target =
      command.values.length === 2 && single(command.values[0]) === 'cd'
        ? single(command.values[1])
        : undefined;
    if (target === undefined) continue;
    const entered = from.map((folder) => joinPath(folder, target));
    from = [...new Set([...from, ...entered, ...entered.map(asWritten)])];
    if (from.length > MAX_FOLDERS) refusal ??= 'changes the folder too often';
  }
  // Where a redirection stands among the commands is not kept: it may be read from any of the folders.
  for (const values of line.inputs) {
    const known = readsOf([values]);
    if (known) reads.push(...known.map((read) => ({ ...read, from })));
    else refusal ??= 'reads from a file that is only known when it runs';
  }
  return { refusal, reads, repositories, variables: line.variables, words };
}

function joinPath(folder: string, target: string): string {
  return target.startsWith('/') ? target : `${folder}/${target}`;
}

/** A path with its `..` taken away as `cd` does it: by its text, so that `link/..` is where the link stands. */
function asWritten(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0 && !/^(?:\.\.)?$/.test(names.at(-1) ?? '')) names.pop();
    else if (name !== '.') names.push(name);
  }
  return names.join('/') || '.';
}

function surveyCommand(values: readonly WordValues[], command: ShellCommand): Survey {
  const [first, ...args] = values;
  const program = single(first);
  if (program === undefined) return { refusal: 'is only known when it runs' };
  const special = Object.hasOwn(SPECIAL, program) ? SPECIAL[program] : undefined;
  if (special) return special(args, command);
  const row = Object.hasOwn(READING_PROGRAMS, program) ? READING_PROGRAMS[program] : undefined;
  if (!row) return { refusal: 'is not known to only read' };
  // These programs do more when nobody asks for their version.
  if (row.why.startsWith('runs code') && args.length !== 1) return { refusal: 'runs code' };
  return surveyArguments(row, args);
}

/** Programs whose arguments have a way of their own. */
const SPECIAL: Readonly<Record<string, Surveyor>> = {
  cd: (args) => {
    const target = single(args[0]);
    return args.length === 1 && target !== undefined && target !== '' && !target.startsWith('-')
      ? { reads: [{ path: target }] }
      : { refusal: 'goes to a folder that is not named' };
  },
  diff: surveyDiff,
  find: surveyFind,
  git: surveyGit,
  jq: (args) => surveyScripted(JQ, args, onlyFiltersJq),
  awk: (args) => surveyScripted(AWK, args, onlyPrintsAwk),
  gawk: (args) => surveyScripted(AWK, args, onlyPrintsAwk),
  mawk: (args) => surveyScripted(AWK, args, onlyPrintsAwk),
  sed: surveySed,
  test: surveyTest,
  '[': (args) => (single(args.at(-1)) === ']' ? surveyTest(args.slice(0, -1)) : { refusal: 'has no ]' }),
  date: (args) => {
    const read = readArguments(READING_PROGRAMS.date ?? JQ, args);
    if (typeof read === 'string') return { refusal: read };
    const isFormat = read.operands.every((operand) => single(operand)?.startsWith('+'));
    return isFormat ? { reads: read.files } : { refusal: 'may set the time' };
  },
  ps: (args) => {
    const isKnown = args.every((arg) =>
      /^(?:-[AaefFjlHLTyw]+|-aux|[aAuxwfjlmrT]+|-eo|-o|[\w,=]+|-p|\d+)$/.test(single(arg) ?? '?'),
    );
    const showsEnvironment = args.some(
      (arg, at) => /^[^-]*e/.test(single(arg) ?? '') && !/^-e?o$/.test(single(args[at - 1]) ?? ''),
    );
    return isKnown && !showsEnvironment ? { reads: [] } : { refusal: 'may show environments' };
  },
  command: (args, command) => {
    if (/^-[vV]$/.test(single(args[0]) ?? '')) return { reads: [] };
    return single(args[0])?.startsWith('-') ? { refusal: 'has an option' } : surveyInner(args, command);
  },
  timeout: (args, command) =>
    /^\d+(?:\.\d+)?[smh]?$/.test(single(args[0]) ?? '')
      ? surveyInner(args.slice(1), command)
      : { refusal: 'has an option' },
  nice: (args, command) =>
    single(args[0])?.startsWith('-') ? { refusal: 'has an option' } : surveyInner(args, command),
  xargs: surveyXargs,
  read: (args) => {
    const isPlain = args.every((arg) => /^(?:-r|[a-z][a-z0-9]*)$/.test(single(arg) ?? ''));
    const setsPath = args.some((arg) => single(arg)?.endsWith('path'));
    return isPlain && !setsPath ? { reads: [] } : { refusal: 'sets a variable' };
  },
};

/** Where `cd` and `read` stand behind another program it is not followed what they change: `command cd x` does, `timeout 5 cd x` does not. */
function surveyInner(args: readonly WordValues[], command: ShellCommand): Survey {
  return /^(?:cd|read)$/.test(single(args[0]) ?? '')
    ? { refusal: 'runs a builtin' }
    : surveyCommand(args, command);
}

/** `diff a/key secrets` compares with `secrets/key`. */
function surveyDiff(args: readonly WordValues[]): Survey {
  const row = READING_PROGRAMS.diff ?? JQ;
  const survey = surveyArguments(row, args);
  const read = readArguments(row, args);
  if ('refusal' in survey || typeof read === 'string') return survey;
  const paths = (readsOf(read.operands) ?? []).map(({ path }) => path);
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const inFolders = paths.flatMap((folder) => [...names].map((name) => ({ path: `${folder}/${name}` })));
  return { reads: [...survey.reads, ...inFolders] };
}

const JQ = {
  why: 'filters JSON; -f and -L read filters from files, env and $ENV show variables',
  options:
    '-nrcjaSsMCeR --raw-output --compact-output --null-input --slurp --raw-input --sort-keys --tab --indent= --exit-status --join-output --ascii-output --color-output --monochrome-output',
  operands: 'pattern',
} as const;
const AWK = {
  why: 'prints, as long as its program only prints',
  options: '-F= -v=',
  operands: 'pattern',
} as const;
const SED = {
  why: 'prints, as long as its script only prints; -i and -f change and read files',
  options:
    '-nErsuz -e= -l= --quiet --silent --regexp-extended --null-data --separate --posix --unbuffered --sandbox --expression=',
  operands: 'pattern',
  patterns: '-e --expression',
} as const;

function surveyScripted(
  row: typeof JQ | typeof AWK,
  args: readonly WordValues[],
  isHarmless: (script: string) => boolean,
): Survey {
  const read = readArguments(row, args);
  if (typeof read === 'string') return { refusal: read };
  const script = single(read.operands[0]);
  if (script === undefined) {
    const isAsking = args.length === 1 && /^--(?:version|help)$/.test(single(args[0]) ?? '');
    return isAsking ? { reads: [] } : { refusal: 'has no known script' };
  }
  return isHarmless(script)
    ? surveyArguments(row, args)
    : { refusal: 'has a script that may do more than print' };
}

function surveySed(args: readonly WordValues[]): Survey {
  const read = readArguments(SED, args);
  if (typeof read === 'string') return { refusal: read };
  const given = read.texts.filter(([option]) => option !== '-l').map(([, value]) => single(value));
  const scripts = given.length > 0 ? given : read.operands.slice(0, 1).map(single);
  const areHarmless = scripts.every((script) => script !== undefined && onlyPrintsSed(script));
  return areHarmless ? surveyArguments(SED, args) : { refusal: 'has a script that may do more than print' };
}

/** `find` with tests alone: what is not known may run a program (`-exec`), write (`-fprint`) or delete. */
function surveyFind(args: readonly WordValues[]): Survey {
  const isExpression = (arg: WordValues): boolean => /^(?:-.|[(!,]$)/s.test(single(arg) ?? '');
  let at = 0;
  while (/^-[HLP]$/.test(single(args[at]) ?? '')) at++;
  const start = at;
  while (at < args.length && !isExpression(args[at] ?? 'any')) at++;
  const folders = readsOf(args.slice(start, at));
  if (!folders || folders.some(({ hazard }) => hazard))
    return { refusal: 'looks into a folder that is only known when it runs' };
  const files: PathRead[] = [];
  const names: PathRead[] = [];
  let follows = args.slice(0, start).some((arg) => single(arg) === '-L');
  for (; at < args.length; at++) {
    const word = single(args[at]) ?? '?';
    const value = args[at + 1];
    if (word === '-newer' || word === '-samefile')
      files.push(...(readsOf([args[++at] ?? 'any']) ?? [{ path: '/' }]));
    else if (FIND_VALUES.has(word)) {
      // A pattern without quotes becomes the names of files, any of which may be an action.
      if (value === undefined || typeof value === 'string')
        return { refusal: 'has an argument that is only known when it runs' };
      const found = listedNames(value);
      names.push(...found.map((name) => ({ ...name, hazard: 'dash' }) as const));
      at++;
    } else if (!FIND_FLAGS.has(word)) return { refusal: `has the action or test ${word}` };
    if (word === '-follow') follows = true;
  }
  const below = follows ? ({ below: 'links' } as const) : {};
  return {
    reads: [
      ...(folders.length > 0 ? folders : [{ path: '.' }]).map((folder) => ({ ...folder, ...below })),
      ...files,
      ...names,
    ],
  };
}

const FILE_TESTS = /^-[abcdefghkprstuwxGLNOS]$/;
const TEXT_TESTS = /^-[nz]$/;
const COMPARISONS = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge)$/;
const FILE_COMPARISONS = /^-(?:nt|ot|ef)$/;

/** `test` by the number of its arguments, as POSIX has it; what joins more of them is asked about. */
function surveyTest(args: readonly WordValues[]): Survey {
  const [first, second, third] = args;
  if (args.includes('any')) return { refusal: 'has an argument that is only known when it runs' };
  if (single(first) === '!') return surveyTest(args.slice(1));
  if (args.length <= 1) return { reads: [] };
  if (args.length === 2) {
    if (TEXT_TESTS.test(single(first) ?? '')) return { reads: [] };
    const reads = FILE_TESTS.test(single(first) ?? '') ? readsOf([second ?? 'any']) : undefined;
    return reads ? { reads } : { refusal: 'has a test that is not known' };
  }
  if (args.length !== 3) return { refusal: 'has more than one test' };
  if (COMPARISONS.test(single(second) ?? '')) return { reads: [] };
  const reads = FILE_COMPARISONS.test(single(second) ?? '')
    ? readsOf([first ?? 'any', third ?? 'any'])
    : undefined;
  return reads ? { reads } : { refusal: 'has a test that is not known' };
}

/** Options of git itself that change nothing but the folder. */
function gitArguments(
  args: readonly WordValues[],
): { folder: string; rest: readonly WordValues[] } | undefined {
  let folder = '.';
  for (let at = 0; at < args.length; at++) {
    const word = single(args[at]) ?? '-?';
    if (word === '-C') {
      const target = single(args[++at]);
      if (target === undefined) return undefined;
      folder = joinPath(folder, target);
    } else if (!/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word))
      return { folder, rest: args.slice(at) };
  }
  return { folder, rest: [] };
}

function surveyGit(args: readonly WordValues[]): Survey {
  const read = gitArguments(args);
  const [first, second] = read?.rest ?? [];
  const name = single(first);
  if (!read || name === undefined) return { refusal: 'has an option that is only known when it runs' };
  if (/^--(?:version|help)$/.test(name))
    return read.rest.length === 1 ? { reads: [] } : { refusal: 'has an option' };
  const longer = `${name} ${single(second) ?? ''}`;
  const key = Object.hasOwn(READING_GIT, longer) ? longer : name;
  const row = Object.hasOwn(READING_GIT, key) ? READING_GIT[key] : undefined;
  if (!row) return { refusal: `${name} is not known to only read` };
  const rest = read.rest.slice(key.split(' ').length);
  const texts = rest.map((arg) => (typeof arg === 'string' ? '' : arg.map(({ text }) => text).join(' ')));
  const survey = surveyArguments(row, rest);
  if ('refusal' in survey) return { refusal: `${name} ${survey.refusal}` };
  const reads = survey.reads.flatMap((path) => {
    // `HEAD:.env` shows a file, and so does `:.env`.
    const inCommit = path.path.slice(path.path.indexOf(':') + 1);
    return [
      path,
      ...(path.path.includes(':') && inCommit !== '' ? [{ path: inCommit.replace(/^\/+/, './') }] : []),
    ];
  });
  const placed = reads.map((path) => ({ ...path, path: joinPath(read.folder, path.path) }));
  const below = showsTrackedFiles(key, texts) ? ({ below: 'tracked' } as const) : {};
  const all = [{ path: read.folder, ...below }, ...placed];
  return texts.some((text) => runsOrReveals(key, text))
    ? { refusal: `${name} has an argument that runs a program or shows a secret`, reads: all }
    : { reads: all };
}

/** Signatures are checked by a program; help is shown by one; some settings are passwords. */
function runsOrReveals(subcommand: string, text: string): boolean {
  if (text === '--help' || /%G|%\(\*?signature/.test(text)) return true;
  return subcommand.startsWith('config') && /extraheader|password|token|secret/i.test(text);
}

function isGit({ values }: ShellCommand): boolean {
  return values.some((value) => single(value) === 'git');
}

function gitFolders({ values }: ShellCommand): readonly PathRead[] {
  const at = values.findIndex((value) => single(value) === 'git');
  return [{ path: gitArguments(values.slice(at + 1))?.folder ?? '/' }];
}

/** Programs that pass on the lines they are fed as they are, unless they cut them (`tail -c 12` makes `/etc/passwd` of `a/etc/passwd`) or end them otherwise. */
const PASSING = new Set(['head', 'tail', 'sort', 'uniq']);
const CUTS_LINES = /^(?:-[^-]*[cz].*|--(?:bytes|zero-terminated|count).*)$/;

function passesLinesOn(command: ShellCommand | undefined): boolean {
  const [program, ...args] = command?.values.map(single) ?? [];
  return PASSING.has(program ?? '') && !args.some((arg) => arg === undefined || CUTS_LINES.test(arg));
}

/** `find src | xargs wc`: a reading program is given the files that another one found, all of them in known folders. */
function surveyXargs(args: readonly WordValues[], command: ShellCommand): Survey {
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
  const inner = args.slice(at);
  if (inner.length === 0 || /^(?:cd|read|xargs|git|find|awk|gawk|mawk|jq|sed)$/.test(single(inner[0]) ?? ''))
    return { refusal: 'runs a program that takes more than files' };
  const found = foundFiles(command);
  if (!found) return { refusal: 'gets words that are only known when it runs' };
  const file: WordValues = [{ text: './found', splits: false }];
  const words =
    replaced === undefined
      ? [...inner, file]
      : inner.map((word) => (single(word) === replaced ? file : word));
  const survey = surveyCommand(words, command);
  if ('refusal' in survey) return survey;
  const reads = survey.reads.filter(({ path }) => path !== './found');
  // A file's name with white space would be cut into other words, and a link be followed.
  return {
    reads: [...reads, ...found.map(({ path }) => ({ path, below: 'links', hazard: 'space' }) as const)],
  };
}

/** The folders in which the files lie whose names a command is fed. */
function foundFiles({ feeders }: ShellCommand): readonly PathRead[] | undefined {
  const sources = [...feeders];
  while (passesLinesOn(sources.at(-1))) sources.pop();
  const source = sources.at(-1);
  if (!source) return undefined;
  const [program, ...args] = source.values.map(single);
  const lists =
    (program === 'find' && !args.includes('-printf') && !args.includes('-ls')) ||
    (program === 'git' && args[0] === 'ls-files') ||
    (program === 'rg' && args.some((arg) => /^(?:-l|--files|--files-with-matches)$/.test(arg ?? ''))) ||
    (program === 'grep' && args.some((arg) => /^-[a-z]*l[a-z]*$/.test(arg ?? '')));
  const survey = lists ? surveyCommand(source.values, source) : undefined;
  if (!survey || 'refusal' in survey) return undefined;
  if (program === 'git') return [{ path: '.' }];
  // Of its input it prints no file's name but a label: `grep -l --label=/etc/passwd`.
  const isFed = survey.reads.length === 0 || args.some((arg) => arg === '-' || arg?.startsWith('--lab'));
  return isFed ? undefined : survey.reads;
}

/** Whatever in a word may be a file's name. */
function pathsIn(values: WordValues): readonly PathRead[] {
  if (typeof values === 'string') return [];
  return values.flatMap(({ text }) => {
    const value = /^--?[\w-]+=(.+)$/s.exec(text)?.[1] ?? /^(?:-[a-zA-Z]|@|\w+=)(.+)$/s.exec(text)?.[1];
    return [{ path: text }, ...(value === undefined ? [] : [{ path: value }])];
  });
}
