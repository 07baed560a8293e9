import {
  readArguments,
  readsOf,
  type Survey,
  single,
  surveyArguments,
  surveyTexts,
} from './reading-options.ts';
import { DATE, DIFF, READING_PROGRAMS } from './reading-programs.ts';
import type { ShellCommand } from './shell-line.ts';
import { surveyFind } from './survey-find.ts';
import { surveyGit } from './survey-git.ts';
import { surveyAwk, surveyJq, surveySed } from './survey-scripts.ts';
import { surveyTest } from './survey-test.ts';
import { surveyXargs } from './survey-xargs.ts';
import type { WordValues } from './word-values.ts';

/** What a command reads, or why it is not known to only read. */
export function surveyCommand(values: readonly WordValues[], command: ShellCommand): Survey {
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

type Surveyor = (args: readonly WordValues[], command: ShellCommand) => Survey;

/** Programs whose arguments need more than a row of the table. */
const SPECIAL: Readonly<Record<string, Surveyor>> = {
  cd: (args) => {
    const target = single(args[0]);
    return args.length === 1 && target !== undefined && target !== '' && !target.startsWith('-')
      ? { reads: [{ path: target }] }
      : { refusal: 'goes to a folder that is not named' };
  },
  diff: surveyDiff,
  find: (args, command) => surveyFind(args, (words) => surveyCommand(words, command)),
  git: surveyGit,
  jq: surveyJq,
  awk: surveyAwk,
  gawk: surveyAwk,
  mawk: surveyAwk,
  sed: surveySed,
  printf: surveyPrintf,
  test: surveyTest,
  '[': (args) => (single(args.at(-1)) === ']' ? surveyTest(args.slice(0, -1)) : { refusal: 'has no ]' }),
  date: (args) => {
    const read = readArguments(DATE, args);
    if (typeof read === 'string') return { refusal: read };
    const isFormat = read.operands.every((operand) => single(operand)?.startsWith('+'));
    return isFormat ? { reads: read.files } : { refusal: 'may set the time' };
  },
  ps: (args) => {
    const isKnown = args.every((arg) =>
      /^(?:-[AaefFjlHLTyw]+|-aux|-eo|-o|(?!.*environ)[\w,=]+|-p)$/.test(single(arg) ?? '?'),
    );
    const showsEnvironment = args.some(
      // BSD has `E` for it.
      (arg, at) => /^[^-]*e/i.test(single(arg) ?? '') && !/^-e?o$/.test(single(args[at - 1]) ?? ''),
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
  xargs: (args, command) => surveyXargs(args, command, surveyCommand),
  read: (args) => {
    const isPlain = args.every((arg) => /^(?:-r|[a-z][a-z0-9]*)$/.test(single(arg) ?? ''));
    const setsPath = args.some((arg) => single(arg)?.endsWith('path'));
    return isPlain && !setsPath ? { reads: [] } : { refusal: 'sets a variable' };
  },
};

/** `command cd x` changes the folder, `timeout 5 cd x` does not: behind another program neither is followed. */
function surveyInner(args: readonly WordValues[], command: ShellCommand): Survey {
  return /^(?:cd|read)$/.test(single(args[0]) ?? '')
    ? { refusal: 'runs a builtin' }
    : surveyCommand(args, command);
}

/** `%n` sets a variable: `printf 'x%n' PATH` makes the folder `1` the only one where programs are looked for. */
const SETS_VARIABLE = /%[^%a-zA-Z]*[hjlLqtz]*n/;

/** `printf -v name` sets a variable and evaluates a subscript in its name, so that the first word has to be known. */
function surveyPrintf(args: readonly WordValues[]): Survey {
  const words = single(args[0]) === '--' ? args.slice(1) : args;
  const format = single(words[0]);
  const isOption = words === args && format?.startsWith('-');
  const prints = format !== undefined && !isOption && !SETS_VARIABLE.test(format.replaceAll('%%', ''));
  return prints ? surveyTexts(words) : { refusal: 'may set a variable' };
}

/** `diff a/key secrets` compares with `secrets/key`. */
function surveyDiff(args: readonly WordValues[]): Survey {
  const survey = surveyArguments(DIFF, args);
  const read = readArguments(DIFF, args);
  if ('refusal' in survey || typeof read === 'string') return survey;
  const operands = (readsOf(read.operands) ?? []).map(({ path }) => path);
  // What a substitution stands for is no folder.
  const paths = operands.filter((path) => path !== '/dev/stdin');
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const inFolders = paths.flatMap((folder) => [...names].map((name) => ({ path: `${folder}/${name}` })));
  return { reads: [...survey.reads, ...inFolders] };
}
