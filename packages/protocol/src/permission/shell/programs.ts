import { READING_GIT } from './reading-git.ts';
import { unknownArguments } from './reading-options.ts';
import { isFindTest, READING_PROGRAMS } from './reading-programs.ts';
import type { ShellWord } from './static-word.ts';

/** Programs and builtins that read a script, from a file or their input. */
const SHELLS = names('sh bash rbash dash ash zsh ksh mksh fish csh tcsh source .');

/** Programs and builtins that run a command which they find in their arguments. */
const WRAPPERS = names(
  'builtin busybox caffeinate chronic chroot chrt command compgen complete doas entr env eval exec fakeroot',
  'firejail flock hash ionice jobs ltrace mapfile nice noglob nocorrect nohup nsenter numactl parallel pkexec',
  'proot readarray rlwrap rsh runuser script setarch setpriv setsid ssh stdbuf strace su sudo systemd-run taskset',
  'time timeout torsocks toybox trap unbuffer unshare valgrind watch xargs',
);

/** Wrappers with an operand before the command: a host, a lock, a duration. */
const OPERAND_FIRST = names('chroot chrt flock numactl rsh runuser setarch ssh su taskset timeout');

/** Wrappers that join their arguments and give the text to a shell. */
const JOINERS = names('eval parallel rsh ssh watch');

/** Builtins that evaluate text, or change what the words after them mean. */
const EVALUATORS = names(
  'alias bind declare enable export fc getopts history let local read readonly set shopt typeset unalias unset wait',
);

const FINDERS = names('find fd fdfind');
const FINDER_RUNS = /^(?:-exec|-execdir|-ok|-okdir|-[a-zA-Z]*[xX]|--ex[a-z-]*)$/;

/** What a program does with its arguments. */
export type ProgramKind = 'shell' | 'wrapper' | 'evaluator' | 'finder' | 'plain';

export function programKind(program: string): ProgramKind {
  const name = baseName(program);
  if (SHELLS.has(name)) return 'shell';
  if (WRAPPERS.has(name)) return 'wrapper';
  if (EVALUATORS.has(name)) return 'evaluator';
  return FINDERS.has(name) ? 'finder' : 'plain';
}

/** The program's name without its folder, in lower case: some file systems run `RM` as `rm`. */
export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).toLowerCase();
}

export function hasOperandFirst(program: string): boolean {
  return OPERAND_FIRST.has(baseName(program));
}

export function joinsArguments(program: string): boolean {
  return JOINERS.has(baseName(program));
}

/** Whether the words after this one are a command that `find` runs. */
export function startsFinderRun(word: ShellWord): boolean {
  return word !== undefined && FINDER_RUNS.test(word);
}

/** Arguments that turn a harmless program into another one: an allow rule must spell them out, `*` does not cover them. */
export function guardedArguments([program = '', ...args]: readonly ShellWord[]): ShellWord[] {
  const name = baseName(program);
  if (FINDERS.has(name)) return args.filter((arg) => arg === undefined || !isKnownTest(name, arg));
  // `-v` evaluates the subscript of the name that follows; an unknown word may turn out to be `-v`.
  if (name === 'test' || name === '[') return args.filter((arg) => arg === undefined || /^-[vR]$/.test(arg));
  if (name === 'printf') return args.slice(0, 1).filter((arg) => arg === undefined || arg.startsWith('-v'));
  if (name === 'git') return guardedByGit(args);
  const row = Object.hasOwn(READING_PROGRAMS, name) ? READING_PROGRAMS[name] : undefined;
  return row && row.operands !== 'anything' && !row.why.startsWith('runs code')
    ? unknownArguments(row, args)
    : [];
}

/** Options of git itself run programs (`-c`) or mean another repository (`-C`); those of its reading subcommands are known. */
function guardedByGit(args: readonly ShellWord[]): ShellWord[] {
  const at = args.findIndex((arg) => arg === undefined || !arg.startsWith('-'));
  const own = args.slice(0, at === -1 ? args.length : at);
  const guarded = own.filter(
    (arg) => !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--version|--help)$/.test(arg ?? ''),
  );
  const name = at === -1 ? undefined : args[at];
  if (name === undefined) return at === -1 ? guarded : [...guarded, undefined];
  const row = Object.hasOwn(READING_GIT, name) ? READING_GIT[name] : undefined;
  return row?.anyArgument ? [...guarded, ...unknownArguments(row, args.slice(at + 1))] : guarded;
}

/** `find` and `fd` run, write and delete by some of their options, and have many others. */
function isKnownTest(name: string, word: string): boolean {
  if (name === 'find') return !/^-[a-zA-Z]/.test(word) || isFindTest(word);
  return !/^-(?!-)[a-zA-Z]*[xX]|^--ex/.test(word);
}

function names(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
