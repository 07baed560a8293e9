import { constants } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  assertMayGo,
  Bridge,
  BridgeOptionsError,
  endTree,
  handedVariables,
  hostedCommand,
  isOwnHub,
  launchBridge,
  ownToken,
  readAssignments,
  readHubFile,
  signalboxHome,
  tokenReader,
} from '@signalbox/hub/bridge';
import { messageOf } from '@signalbox/protocol';
import { CommandOptionsError } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { localHub } from './hub/find-hub.ts';
import { shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { fitted } from './wrap-words.ts';

const HELP = `Usage: signalbox bridge [options] -- <agent command>

Runs an agent on its stdio and connects it to a hub. What the agent says is kept until the hub has
it, through any outage; a bridge that is started again with the same id delivers what a killed one
left. When the bridge ends, so does the agent with every program it started.

  signalbox bridge -- claude      as a session of the hub of this machine

  --hub URL          the hub to use (or SIGNALBOX_HUB; default: the one on this machine)
  --local            use the hub on this machine, whatever SIGNALBOX_HUB says
  --session ID       the session to connect as (default: a new one)
  --id ID            the name of the bridge on this machine (default: that of the session)
  --cwd FOLDER       the folder the agent works in
  --env NAME=VALUE   set a variable for the agent, even one that is withheld otherwise: CLAUDECODE
                     and CLAUDE_CODE_*. NAME alone passes on the variable of this terminal
  --token-file FILE  a file with the hub's token (or SIGNALBOX_TOKEN_FILE; or the token itself in
                     SIGNALBOX_TOKEN)
  --detach           run in the background
  --quiet            do not repeat the agent's stderr here
  -h, --help         this text
`;

const OPTIONS = {
  hub: { type: 'string' },
  local: { type: 'boolean' },
  session: { type: 'string' },
  id: { type: 'string' },
  cwd: { type: 'string' },
  env: { type: 'string', multiple: true },
  'token-file': { type: 'string' },
  detach: { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  // For the bridge's own watchdog.
  'end-tree': { type: 'string' },
} as const;

/** Run `signalbox bridge …`. Returns the agent's exit code. */
export async function runBridge(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals: command } = readOptions(argv);
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  if (values['end-tree'] !== undefined) {
    await endTree(values['end-tree'], Number(command[0]) || undefined);
    return 0;
  }
  const { session = crypto.randomUUID(), id = session } = values;
  const home = signalboxHome();
  const named = values.hub ?? process.env.SIGNALBOX_HUB;
  const given = tokenReader(process.env, values['token-file']);
  const isLocal = values.local ?? (named === undefined || (await isOwn(home, named, given())));
  const token = isLocal ? () => given() ?? ownToken(home) : given;
  const hub = named ?? (isLocal ? readHubFile(home)?.dial : undefined);
  if (hub === undefined)
    throw new BridgeOptionsError(
      `No hub has run on this machine yet: start one with ${commandHere('up')}, or say where it is with --hub ws://host:port.`,
    );
  if (command.length === 0)
    throw new CommandOptionsError(
      'bridge',
      `Say what to run: ${commandHere('bridge … -- <agent command>')}.`,
    );
  if (!isLocal) assertMayGo(home, hub, token());
  const options = {
    hub,
    isLocal,
    session,
    id,
    command: hostedCommand(command),
    cwd: resolve(values.cwd ?? '.'),
    env: { ...handedVariables(process.env), ...readAssignments(values.env ?? [], process.env) },
    home,
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  };
  if (values.detach) {
    const { SIGNALBOX_TOKEN, SIGNALBOX_TOKEN_FILE } = process.env;
    const tokenFile = values['token-file'] ?? SIGNALBOX_TOKEN_FILE;
    const { meta, log } = await launchBridge({ ...options, token: SIGNALBOX_TOKEN, tokenFile });
    if (meta.failure !== undefined) {
      process.stderr.write(`signalbox bridge: ${harmless(meta.failure)}\n`);
      return 1;
    }
    process.stdout.write(
      `${JSON.stringify({ id, session, pid: meta.pid, agent_pid: meta.agentPid, log })}\n`,
    );
    return 0;
  }
  if (process.stderr.isTTY && !values.quiet)
    process.stderr.write(
      `${fitted(`signalbox bridge: session ${shortId(session)} of ${isLocal ? 'the hub of this machine' : hub}. Talk to it in the browser, or with ${commandHere(`attach ${shortId(session)}`)} in another terminal; Ctrl-C here ends its agent.`, process.stderr)}\n`,
    );
  const told = AbortSignal.any([signal, hangUp()]);
  const onStderr = values.quiet ? undefined : (text: string) => void process.stderr.write(text);
  const bridge = new Bridge({ ...options, token, signal: told, ...(onStderr ? { onStderr } : {}) });
  const { exit, failure, isDelivered, folder } = await bridge.run();
  if (failure !== undefined) process.stderr.write(`signalbox bridge: ${harmless(failure)}\n`);
  if (!isDelivered)
    process.stderr.write(
      `signalbox bridge: the hub lacks lines; they are in ${folder}, for the next start with --id ${id}.\n`,
    );
  if (!exit) return 1;
  return exit.code ?? 128 + constants.signals[exit.signal ?? 'SIGKILL'];
}

/** Whether the hub that is named is that of this home: then it is reached by its socket, and followed wherever it goes. */
async function isOwn(home: string, url: string, token = ownToken(home)): Promise<boolean> {
  if (!isOwnHub(home, url)) return false;
  return token === ownToken(home) || (await localHub(home, token)) !== undefined;
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new CommandOptionsError('bridge', `${messageOf(error)} The agent's own options come after --.`);
  }
}

/** A terminal that closes ends the bridge, in order; a bridge that should stay is detached. */
function hangUp(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGHUP', () => controller.abort());
  return controller.signal;
}
