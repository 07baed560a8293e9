import type { ShellWord } from './static-word.ts';

/** A program that runs what a rule names: a script, a target, a remote's program. */
interface Runner {
  /** Why a rule for it does not cover all of its options. */
  readonly why: string;
  /** The subcommands that this is about, as a rule names them; all if undefined. */
  readonly subcommands?: RegExp;
  /** The words that make it run something else, as far as they are known. */
  readonly changing?: RegExp;
  /** The options that leave it at that, where all others count as changing. */
  readonly harmless?: RegExp;
  /** Whether what follows `--` is for the script. */
  readonly endsOptions?: boolean;
}

/** Options are matched by their first letters where the program takes them for the whole. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: {
    why: 'its options may stand behind the script, and say from which folder, by which shell and with which Node it runs',
    subcommands: /^(?:run|run-script|rum|urn|test|tst|t|start|stop|restart|exec|x)$/,
    harmless:
      /^(?:-[sqd]|--(?:silent|quiet|verbose|if-present|ignore-scripts|foreground-scripts|color|no-color|loglevel=\w+))$/,
    endsOptions: true,
  },
  make: {
    why: '-f, -C and --eval name other rules, SHELL and other variables other programs',
    harmless:
      /^(?:-[bBikmnqrRsStw]+|-[jl][\d.]*|--(?:always-make|dry-run|just-print|recon|silent|quiet|keep-going|question|touch|trace|no-print-directory|print-directory|jobs(?:=\d+)?|output-sync(?:=\w+)?))$/,
    changing: /^(?:\.?SHELL|MAKE|GNUMAKE|\.)[\w.]*\s*[:+?!]*=|^[^=]*[:+?!]*=(?![\w.,-]*$)/,
  },
  cargo: {
    why: '--config names a runner, --manifest-path and -C another project',
    changing: /^(?:--(?:config|manifest-path)\b|-[CZ])/,
    endsOptions: true,
  },
  go: {
    why: '-exec, -toolexec and -vettool run a program, others name another compiler, linker or module',
    changing:
      /^--?(?:exec|toolexec|vettool|C|modfile|overlay|ldflags|gcflags|asmflags|gccgoflags|compiler|pkgdir)(?:=|$)/,
  },
  'git push': { why: 'names the program at the other end', changing: /^(?:--(?:rec|exe)|[\w-]+::)/ },
  'git fetch': { why: 'names the program at the other end', changing: /^(?:--upl|[\w-]+::)/ },
  'git pull': { why: 'names the program at the other end', changing: /^(?:--upl|[\w-]+::)/ },
  'git ls-remote': { why: 'names the program at the other end', changing: /^(?:--(?:upl|exe)|[\w-]+::)/ },
  'git clone': {
    why: 'names the program at the other end, hooks or settings',
    changing: /^(?:--(?:upl|con|tem)|-[uc]|[\w-]+::)/,
  },
  'git init': { why: 'copies hooks', changing: /^--tem/ },
  'git rebase': { why: 'runs a program for each commit', changing: /^(?:--ex|-[a-zA-Z]*x)/ },
  'git archive': {
    why: 'names the program at the other end, or a file',
    changing: /^(?:--(?:exe|out|rem)|-o)/,
  },
  'git difftool': { why: 'runs a program', changing: /^(?:--ext|-x)/ },
};

/** The words with which a program runs something else than its subcommand says: a rule for that has to spell them out. */
export function changedRun(name: string, args: readonly ShellWord[], ruled: readonly string[]): ShellWord[] {
  const [subcommand] = args;
  const longer = `${name} ${subcommand}`;
  const key = Object.hasOwn(RUNNERS, longer) ? longer : name;
  const runner = Object.hasOwn(RUNNERS, key) ? RUNNERS[key] : undefined;
  if (!runner) return [];
  const { subcommands, changing, harmless, endsOptions } = runner;
  if (subcommands && !ruled.some((word) => subcommands.test(word))) return [];
  const end = endsOptions ? args.indexOf('--') : -1;
  const own = end === -1 ? args : args.slice(0, end);
  return own.filter(
    (arg) =>
      arg === undefined || changing?.test(arg) || (harmless && arg.startsWith('-') && !harmless.test(arg)),
  );
}
