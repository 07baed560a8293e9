import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Hub,
  HubNotStartedError,
  type HubOptions,
  type LaunchSetup,
  type LocalAgent,
  openSqliteStore,
  type Store,
  startHub,
  stderrLog,
} from '@signalbox/hub';
import { signalboxHome } from '@signalbox/hub/bridge';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import { consoleFolder } from './console-folder.ts';
import { launchFirstSession } from './first-session.ts';
import { lastPort, writeHubFile } from './hub-file.ts';
import { FIRST_PORT, LAST_PORT } from './hub-ports.ts';
import { hasModel, localAgents } from './local-agents.ts';

const HELP = `Usage: signalbox up [options]

Runs the hub: agents dial in, people watch, prompt and answer. Its data is in $SIGNALBOX_HOME (~/.signalbox).

  --port N         where to listen; unless given, where it was last, or the first free one of ${FIRST_PORT} to ${LAST_PORT}
  --host ADDRESS   which address to listen on; 127.0.0.1 unless given
  --cert FILE      a certificate, and its key, both as PEM: needed for an address that other machines reach
  --key FILE
  --behind-proxy   something in front of the hub does the encryption
  --name NAME      a name under which the hub is reached; may be repeated
  --open-relay     frontends of this machine need no token on /ws; on loopback only
  --auto-approve   allow every tool call that any agent asks about, unseen
  --no-welcome     no first session on the built-in model, where there is no claude, no key and no session
  -h, --help       this text

SIGNALBOX_LOG is how much is told on stderr: debug, info (unless it is set), warn, error or off.
`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  'behind-proxy': { type: 'boolean' },
  name: { type: 'string', multiple: true },
  'open-relay': { type: 'boolean' },
  'auto-approve': { type: 'boolean' },
  'no-welcome': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const OPEN_RELAY = `WARNING: --open-relay: every program of this machine may drive every agent, without a token.\n`;
const AUTO_APPROVE = `WARNING: --auto-approve: every tool call of every agent is allowed, and nobody is asked.\n`;

/** The command line of `signalbox up` is wrong. */
export class UpOptionsError extends SignalboxError {
  constructor(problem: string) {
    super('UP_OPTIONS', `${problem} Try signalbox up --help.`);
  }
}

/** Run `signalbox up …` until `signal` fires. */
export async function runUp(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const options = readOptions(argv);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const home = signalboxHome();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const store = await openSqliteStore(join(home, 'hub.db'));
  try {
    const program = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
    const agents = (): LocalAgent[] => localAgents(program, process.env);
    const hub = await start(store, options, { home, program, agents });
    writeHubFile(home, hub.url);
    if (options['open-relay']) process.stderr.write(OPEN_RELAY);
    if (options['auto-approve']) process.stderr.write(AUTO_APPROVE);
    process.stdout.write(await welcome(hub, store, home));
    if (!options['no-welcome'] && !hasModel(agents(), process.env))
      // Nobody waits for it: whoever ends the hub meanwhile has ended it.
      launchFirstSession(hub, store, home).catch((error: unknown) => {
        if (!signal.aborted) process.stderr.write(`signalbox up: ${messageOf(error)}\n`);
      });
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await hub.close();
  } finally {
    await store.close();
  }
  return 0;
}

type Options = ReturnType<typeof readOptions>;

async function start(
  store: Store,
  { port, host, cert, key, name, ...rest }: Options,
  launch: LaunchSetup,
): Promise<Hub> {
  if ((cert === undefined) !== (key === undefined)) throw new UpOptionsError('--cert and --key go together.');
  const options: HubOptions = {
    store,
    launch,
    ...consoleFolder(),
    names: name ?? [],
    behindProxy: rest['behind-proxy'] ?? false,
    openRelay: rest['open-relay'] ?? false,
    autoApprove: rest['auto-approve'] ?? false,
    log: stderrLog(),
    ...(host === undefined ? {} : { host }),
    ...(cert && key ? { tls: { cert: readText(cert), key: readText(key) } } : {}),
  };
  if (port !== undefined) return startHub({ ...options, port: portOf(port) });
  return startOnFirstFree(options, portsFor(launch.home));
}

async function startOnFirstFree(options: HubOptions, [port = 0, ...others]: number[]): Promise<Hub> {
  try {
    return await startHub({ ...options, port });
  } catch (error) {
    const isTaken = error instanceof HubNotStartedError && error.isPortInUse;
    if (!isTaken || others.length === 0) throw error;
    return startOnFirstFree(options, others);
  }
}

/** First of all the port of last time: bridges that went on without the hub dial that one. */
function portsFor(home: string): number[] {
  const range = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, at) => FIRST_PORT + at);
  return [...new Set([lastPort(home) ?? FIRST_PORT, ...range])];
}

async function welcome(hub: Hub, store: Store, home: string): Promise<string> {
  const person = userInfo().username;
  const link = await hub.createSignInLink({ person, name: 'browser', scope: 'admin', session: null });
  const file = await tokenFile(store, home, person);
  const dial = hub.url.replace('http', 'ws');
  return `signalbox is up at ${hub.url}

  sign in    ${link}
             (once, within 15 minutes)
  dial in    signalbox bridge --hub ${dial} --token-file ${file} -- <agent command>
  call       curl -H "authorization: Bearer $(cat ${file})" ${hub.url}/api/sessions

Ctrl-C ends it; agents behind a bridge go on and come back.
`;
}

/** The token of this machine's own programs: the one that is there, as long as it is good. */
async function tokenFile(store: Store, home: string, person: string): Promise<string> {
  const file = join(home, 'token');
  if (await isGood(store, file)) return file;
  const { token } = await store.devices.add({ person, name: hostname(), scope: 'admin', session: null });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  // A file that was there keeps the mode it had.
  chmodSync(file, 0o600);
  return file;
}

async function isGood(store: Store, file: string): Promise<boolean> {
  try {
    return (await store.devices.authenticate(readFileSync(file, 'utf8').trim())) !== undefined;
  } catch {
    return false;
  }
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values;
  } catch (error) {
    throw new UpOptionsError(messageOf(error));
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UpOptionsError(`${text} is no port.`);
  return port;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UpOptionsError(`Cannot read ${file}: ${messageOf(error)}.`);
  }
}
