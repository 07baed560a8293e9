import { type FoundBridge, readHubFile, signalboxHome } from '@signalbox/hub/bridge';
import type { RunningTerminal } from '@signalbox/hub/terminal-host';
import { messageOf } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { comesTrue, endHub, NotEndedError, signalTo } from './hub/end-process.ts';
import { addressOf, localHub } from './hub/find-hub.ts';
import { isHolderRunning } from './hub/hub-process.ts';
import {
  bridgeWords,
  leftAgents,
  runningBridges,
  runningTerminals,
  terminalWords,
} from './hub/left-agents.ts';
import { shortId } from './hub/pick-session.ts';
import { printHelp } from './print-help.ts';
import { HubBusyError } from './up/running-hub.ts';

const HELP = `Usage: signalbox down [--agents] [--json]

Stops the hub of this machine ($SIGNALBOX_HOME, default ~/.signalbox). Its agents and terminals keep
running, and reconnect when a hub is started again; with --agents they are stopped first, with every
program they started. This also works if the hub is not running any more.

  --agents     stop the agents and terminals of this home as well
  --json       print what was stopped and what keeps running as JSON
  -h, --help   this text
`;

const OPTIONS = {
  agents: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox down …`. */
export async function runDown(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readCommand('down', argv, OPTIONS);
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  if (positionals.length > 0)
    throw new CommandOptionsError('down', `"${positionals[0]}" is no option of down.`);
  const home = signalboxHome();
  const hub = await localHub(home);
  const { pid } = readHubFile(home) ?? {};
  const api = hub && new HubApi(addressOf(hub));
  const ended: string[] = [];
  const say = (words: string): void => {
    ended.push(words);
    if (!values.json) process.stdout.write(`ended ${words}\n`);
  };
  // All at once: each takes its time to end.
  if (values.agents)
    await Promise.all([
      ...(await runningBridges(home)).map((bridge) => endAgent(bridge, home, api, say)),
      ...(await runningTerminals(home)).map((terminal) => endTerminal(terminal, say)),
    ]);
  // The pid of a hub that does not answer may be a stranger's by now.
  if (!hub && isHolderRunning(home)) throw new HubBusyError(home);
  if (hub && pid !== undefined) {
    await endHub(pid);
    say(`the hub (pid ${pid})`);
  } else if (!values.json) process.stdout.write('No hub runs here.\n');
  if (values.json) {
    const agents = (await runningBridges(home)).map(({ session }) => session);
    const terminals = (await runningTerminals(home)).length;
    const report = { hub: hub && pid !== undefined ? pid : null, ended, left: { agents, terminals } };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else process.stdout.write(await leftAgents(home));
  return 0;
}

/** By the hub where there is one, so that its session knows; else by its bridge. */
async function endAgent(
  bridge: FoundBridge,
  home: string,
  api: HubApi | undefined,
  say: (words: string) => void,
): Promise<void> {
  const { session, pid, folder } = bridge;
  const isStopped = await api?.stop(session).then(
    () => true,
    (error: unknown) => {
      process.stderr.write(`signalbox down: ${messageOf(error)}\n`);
      return false;
    },
  );
  if (!isStopped) signalTo(pid);
  const isGone = await comesTrue(async () =>
    (await runningBridges(home)).every((other) => other.folder !== folder),
  );
  if (!isGone) throw new NotEndedError(`The bridge of session ${shortId(session)}`, pid);
  say(`the agent of ${bridgeWords(bridge)}`);
}

async function endTerminal(terminal: RunningTerminal, say: (words: string) => void): Promise<void> {
  const { isTerminalThere } = await import('@signalbox/hub/terminal-host');
  const { session, pid } = terminal;
  signalTo(pid);
  const isGone = await comesTrue(() => Promise.resolve(!isTerminalThere(terminal)));
  if (!isGone) throw new NotEndedError(`The terminal of session ${shortId(session)}`, pid);
  say(terminalWords(terminal));
}
