import { AGENT_VERSION } from '@signalbox/agent/version';
import { messageOf } from '@signalbox/protocol';
import { CommandOptionsError } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { fitted } from './wrap-words.ts';

/** A word after `signalbox`. */
interface Command {
  name: string;
  summary: string;
  /** Whoever asks for `endOfWork` has to end by itself then; all others are ended by the system. */
  run: (argv: readonly string[], endOfWork: () => AbortSignal) => Promise<number>;
  /** It works for others, or on data of its own: it goes on when nobody reads what it prints. */
  outlivesReader?: true;
  /** Its exit code when it failed, where 1 says something else. */
  failure?: number;
}

/** All that can be said after `signalbox`. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'demo',
    summary: 'play a short session in this terminal',
    run: async (argv, endOfWork) => (await import('./demo/run-demo.ts')).runDemo(argv, endOfWork()),
  },
  {
    name: 'model',
    summary: 'a Messages API that answers from a script: no network, no key',
    run: async (argv, endOfWork) => {
      const { runModelCommand } = await import('@signalbox/model');
      return runModelCommand(argv, { stdout: process.stdout, stderr: process.stderr, signal: endOfWork() });
    },
  },
  {
    name: 'up',
    summary: 'run the hub that agents dial into and people watch',
    run: async (argv, endOfWork) => (await import('./up-command.ts')).runUp(argv, endOfWork()),
    outlivesReader: true,
  },
  {
    name: 'down',
    summary: 'stop the hub of this machine, and its agents if you ask for it',
    run: async (argv) => (await import('./down-command.ts')).runDown(argv),
  },
  {
    name: 'run',
    summary: 'give an agent a prompt and watch it work',
    run: async (argv, endOfWork) => (await import('./run-command.ts')).runPrompt(argv, endOfWork),
  },
  {
    name: 'loop',
    summary: 'run an agent again and again until a condition is met',
    run: async (argv, endOfWork) => (await import('./loop-command.ts')).runLoop(argv, endOfWork),
  },
  {
    name: 'loops',
    summary: 'list the loops of the hub, or watch, pause, resume and stop them',
    run: async (argv, endOfWork) => (await import('./loops-command.ts')).runLoops(argv, endOfWork),
  },
  {
    name: 'sessions',
    summary: 'list the sessions of the hub, or stop, restart and remove them',
    run: async (argv) => (await import('./sessions-command.ts')).runSessions(argv),
  },
  {
    name: 'answer',
    summary: 'see what agents ask for, and answer it',
    run: async (argv, endOfWork) => (await import('./answer-command.ts')).runAnswer(argv, endOfWork),
  },
  {
    name: 'search',
    summary: 'search everything that was said in all sessions',
    run: async (argv) => (await import('./search-command.ts')).runSearch(argv),
    failure: 2,
  },
  {
    name: 'conversations',
    summary: "list conversations on the hub's machine that you can resume",
    run: async (argv) => (await import('./conversations-command.ts')).runConversations(argv),
  },
  {
    name: 'fork',
    summary: 'start a new session from a point in a conversation',
    run: async (argv) => (await import('./fork-command.ts')).runFork(argv),
  },
  {
    name: 'worktrees',
    summary: 'list the worktrees of sessions and remove unused ones',
    run: async (argv) => (await import('./worktrees-command.ts')).runWorktrees(argv),
  },
  {
    name: 'rules',
    summary: 'rules that answer permission questions: list, add, test, suggest',
    run: async (argv) => (await import('./rules-command.ts')).runRules(argv),
  },
  {
    name: 'budgets',
    summary: 'limits of what agents may spend: list, add, raise, allow one more turn',
    run: async (argv) => (await import('./budgets-command.ts')).runBudgets(argv),
  },
  {
    name: 'spend',
    summary: 'what agents have spent, by day, model, folder, person or session',
    run: async (argv) => (await import('./spend-command.ts')).runSpend(argv),
  },
  {
    name: 'profiles',
    summary: 'environment and secrets that agents are launched with: list, set, remove',
    run: async (argv) => (await import('./profiles-command.ts')).runProfiles(argv),
  },
  {
    name: 'notices',
    summary: 'get notified when an agent needs you: add targets, test them, see the log',
    run: async (argv) => (await import('./notices-command.ts')).runNotices(argv),
  },
  {
    name: 'attach',
    summary: 'join a session of the hub from this terminal',
    run: async (argv, endOfWork) => (await import('./attach-command.ts')).runAttach(argv, endOfWork),
  },
  {
    name: 'terminal',
    summary: "open a shell in a session's folder, shared with everyone who watches",
    run: async (argv) => (await import('./terminal-command.ts')).runTerminal(argv),
  },
  {
    name: 'link',
    summary: 'make a link that signs in another browser, such as on a phone',
    run: async (argv) => (await import('./link-command.ts')).runLink(argv),
  },
  {
    name: 'devices',
    summary: 'list the devices that are signed in, or sign one out',
    run: async (argv) => (await import('./devices-command.ts')).runDevices(argv),
  },
  {
    name: 'trust',
    summary: 'trust a folder, so that its hooks, servers and rules apply; list or revoke trust',
    run: async (argv) => (await import('./trust-command.ts')).runTrust(argv),
  },
  {
    name: 'export',
    summary: 'export a session as JSONL, Markdown or a transcript',
    run: async (argv) => (await import('./export-command.ts')).runExport(argv),
  },
  {
    name: 'backup',
    summary: "back up the hub's data, while it runs",
    run: async (argv) => (await import('./backup-command.ts')).runBackup(argv),
    outlivesReader: true,
  },
  {
    name: 'restore',
    summary: 'restore a backup',
    run: async (argv) => (await import('./restore-command.ts')).runRestore(argv),
    outlivesReader: true,
  },
  {
    name: 'store',
    summary: 'copy everything to PostgreSQL, or back',
    run: async (argv) => (await import('./store-command.ts')).runStore(argv),
    outlivesReader: true,
  },
  {
    name: 'storage',
    summary: 'show how much space the data takes, and delete old data',
    run: async (argv) => (await import('./storage-command.ts')).runStorage(argv),
  },
  {
    name: 'config',
    summary: 'show and change the settings of the hub',
    run: async (argv) => (await import('./config-command.ts')).runConfig(argv),
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    run: async (argv) =>
      (await import('./completion-command.ts')).runCompletion(
        argv,
        // The scripted model has a help of its own.
        COMMANDS.filter(({ name }) => name !== 'model'),
      ),
  },
  {
    name: 'doctor',
    summary: 'check this machine for problems, and say how to fix them',
    run: async (argv) => (await import('./doctor-command.ts')).runDoctor(argv),
    outlivesReader: true,
  },
  {
    name: 'bridge',
    summary: 'run any agent on its stdio and connect it to a hub',
    run: async (argv, endOfWork) => (await import('./bridge-command.ts')).runBridge(argv, endOfWork()),
    outlivesReader: true,
  },
];

/** What is done when nothing is said. */
const DEFAULT = 'up';

/** Whether `signalbox …` goes on when whoever read its output has left. */
export function outlivesReader([name = DEFAULT]: readonly string[]): boolean {
  const command = name.startsWith('-') ? DEFAULT : name;
  return COMMANDS.find((candidate) => candidate.name === command)?.outlivesReader ?? false;
}

/** Run `signalbox …`. Returns the exit code: 0, 1 when it failed, 2 when the command line is wrong. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [name = DEFAULT, ...argv] = words;
  if (name === 'help' || name === '--help' || name === '-h') {
    printHelp(helpText());
    return 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`signalbox ${AGENT_VERSION}\n`);
    return 0;
  }
  if (name.startsWith('-')) return runCommandLine([DEFAULT, ...words]);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    complain(`signalbox: there is no command "${name}". Try ${commandHere('--help')}.`);
    return 2;
  }
  try {
    return await command.run(argv, hearEndOfWork);
  } catch (error) {
    complain(`signalbox ${name}: ${messageOf(error)}`);
    return error instanceof CommandOptionsError ? 2 : (command.failure ?? 1);
  }
}

/** Fires at the first Ctrl-C or SIGTERM; a second one ends the process at once. */
function hearEndOfWork(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** An error may quote a hub, or the last words of an agent. */
function complain(text: string): void {
  process.stderr.write(`${fitted(harmless(text), process.stderr)}\n`);
}

function helpText(): string {
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(15)}${summary}`).join('\n');
  return `signalbox: run, steer and watch coding agents

Usage: signalbox <command> [options]

${list}

Without a command it is up. signalbox <command> --help tells more.
The agent itself is signalbox-agent --help.
`;
}
