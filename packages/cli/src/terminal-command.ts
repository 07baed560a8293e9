import { HubApi, type Session, type Terminal } from 'signalbox/hub';
import { inOneLine } from './cell-text.ts';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, type FoundHub, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { sizeOf } from './terminal/own-terminal.ts';

const HELP = `Usage: signalbox terminal [options] [id]

Opens a shell in the folder of a session, on the hub's machine: the one that is running, or a new
one. It outlives this command and the hub, and others see the same screen, for example in the
browser. The start of a session's id is enough; without an id it picks a session that is waiting for
an answer, or else the one with a connected agent that changed last.

Press Ctrl+] twice to leave; the shell goes on. "exit" in the shell ends it.

  --new              open another terminal beside those that are running
  --number N         open terminal N of the session
  --list             list the terminals of the session
  --json             with --list: print all details as JSON
  --end N            end terminal N and everything that runs in it
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  new: { type: 'boolean' },
  number: { type: 'string' },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  end: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  // For the hub, which starts the process of a terminal.
  serve: { type: 'boolean' },
} as const;

/** Run `signalbox terminal …` until the person leaves, or the shell has ended. */
export async function runTerminal(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('terminal', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  if (options.serve) {
    const { runTerminalHost } = await import('@signalbox/hub/terminal-host');
    await runTerminalHost(process.env, [process.execPath, ...process.execArgv, process.argv[1] ?? '']);
    return 0;
  }
  if (positionals.length > 1) throw new CommandOptionsError('terminal', 'One session at a time.');
  const hub = await findHub(options);
  const api = new HubApi(addressOf(hub));
  const session = await pickSession(api, positionals[0]);
  if (options.list) return list(await api.terminals(session.id), options.json ?? false);
  if (options.end !== undefined) return end(api, session, numberIn('end', options.end));
  const { stdin, stdout } = process;
  const { requireTerminal } = await import('@signalbox/chat');
  requireTerminal(stdin, stdout, `without one, use ${commandHere(`terminal --list ${shortId(session.id)}`)}`);
  const number = options.number === undefined ? undefined : numberIn('number', options.number);
  const terminal = number ?? (await takeTerminal(api, session, options.new ?? false));
  return sitThrough(hub, session, terminal);
}

/** Show a terminal here until the person leaves it, or it has ended; gives the exit code. */
export async function sitThrough(hub: FoundHub, { id }: Session, terminal: number): Promise<number> {
  const { sitAtTerminal } = await import('./terminal/sit-at-terminal.ts');
  const outcome = await sitAtTerminal(hub, id, terminal);
  const { stdout } = process;
  if (outcome.kind === 'left')
    stdout.write(`Terminal ${terminal} goes on. Come back with\n${commandHere(`terminal ${shortId(id)}`)}\n`);
  if (outcome.kind === 'left') return 0;
  stdout.write(`${outcome.words}\n`);
  return outcome.kind === 'exited' ? outcome.code : 1;
}

/** The number of a terminal that runs, or of a new one. */
async function takeTerminal(api: HubApi, { id, view }: Session, isNew: boolean): Promise<number> {
  const running = (await api.terminals(id)).filter(
    ({ state, isAgent }) => state === 'running' && isAgent === (view === 'terminal-only'),
  );
  const last = isNew ? undefined : running.at(-1);
  return (last ?? (await api.startTerminal(id, sizeOf(process.stdout)))).number;
}

function list(terminals: readonly Terminal[], asJson: boolean): number {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(terminals, undefined, 2)}\n`);
    return 0;
  }
  const lines = terminals.map(
    ({ number, state, shell, folder }) =>
      `${[String(number), state, shell, folder].map(inOneLine).join('  ')}\n`,
  );
  process.stdout.write(lines.length === 0 ? 'No terminals.\n' : lines.join(''));
  return 0;
}

async function end(api: HubApi, { id }: Session, number: number): Promise<number> {
  await api.endTerminal(id, number);
  process.stdout.write(`Terminal ${number} has ended.\n`);
  return 0;
}

function numberIn(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandOptionsError('terminal', `--${option} takes the number of a terminal.`);
  return Number(text);
}
