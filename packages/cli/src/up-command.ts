import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Hub,
  HubNotStartedError,
  type HubOptions,
  openSqliteStore,
  type Store,
  startHub,
} from '@signalbox/hub';
import { signalboxHome } from '@signalbox/hub/bridge';
import { messageOf, SignalboxError } from '@signalbox/protocol';

/** Where a hub is looked for: the first of these that is free. */
const FIRST_PORT = 8765;
const LAST_PORT = 8774;

const HELP = `Usage: signalbox up [options]

Runs the hub: agents dial in, people watch, prompt and answer. Its data is in $SIGNALBOX_HOME (~/.signalbox).

  --port N         where to listen; the first free one of ${FIRST_PORT} to ${LAST_PORT} unless given
  --host ADDRESS   which address to listen on; 127.0.0.1 unless given
  --cert FILE      a certificate, and its key, both as PEM: needed for an address that other machines reach
  --key FILE
  --behind-proxy   something in front of the hub does the encryption
  --name NAME      a name under which the hub is reached; may be repeated
  -h, --help       this text
`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  'behind-proxy': { type: 'boolean' },
  name: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

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
    const hub = await start(store, options);
    process.stdout.write(await welcome(hub, store, home));
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await hub.close();
  } finally {
    await store.close();
  }
  return 0;
}

type Options = ReturnType<typeof readOptions>;

async function start(store: Store, { port, host, cert, key, name, ...rest }: Options): Promise<Hub> {
  if ((cert === undefined) !== (key === undefined)) throw new UpOptionsError('--cert and --key go together.');
  const options: HubOptions = {
    store,
    names: name ?? [],
    behindProxy: rest['behind-proxy'] ?? false,
    onTrouble: (problem) => void process.stderr.write(`signalbox up: ${JSON.stringify(problem)}\n`),
    ...(host === undefined ? {} : { host }),
    ...(cert && key ? { tls: { cert: readText(cert), key: readText(key) } } : {}),
  };
  if (port !== undefined) return startHub({ ...options, port: portOf(port) });
  for (let next = FIRST_PORT; ; next += 1) {
    try {
      return await startHub({ ...options, port: next });
    } catch (error) {
      if (!(error instanceof HubNotStartedError) || !error.isPortInUse || next === LAST_PORT) throw error;
    }
  }
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
