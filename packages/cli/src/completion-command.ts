import { CommandOptionsError, readCommand } from './command-options.ts';
import { type CommandWords, wordsIn } from './completion/help-words.ts';
import { SCRIPTS } from './completion/scripts.ts';
import { helpOf, printHelp } from './print-help.ts';

const SHELLS = Object.keys(SCRIPTS).join(', ');

const HELP = `Usage: signalbox completion bash|zsh|fish

Prints a script that completes the commands and options of signalbox in a shell:
source <(signalbox completion bash), for example in ~/.bashrc.

  -h, --help   this text
`;

const OPTIONS = { help: { type: 'boolean', short: 'h' } } as const;

/** A command of the table, as far as its help goes. */
interface Described {
  name: string;
  summary: string;
  run: (argv: readonly string[], endOfWork: () => AbortSignal) => Promise<number>;
}

/** Run `signalbox completion …` for these commands. */
export async function runCompletion(
  argv: readonly string[],
  commands: readonly Described[],
): Promise<number> {
  const { values, positionals } = readCommand('completion', argv, OPTIONS);
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  const [shell = '', ...rest] = positionals;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!script || rest.length > 0) throw new CommandOptionsError('completion', `Say one of ${SHELLS}.`);
  const described: CommandWords[] = [];
  for (const { name, summary, run } of commands) {
    const help = await helpOf(() => run(['--help'], () => new AbortController().signal));
    described.push(wordsIn(name, summary, help));
  }
  process.stdout.write(script(described));
  return 0;
}
