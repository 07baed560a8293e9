import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import {
  assertOpenRelay,
  assertProtected,
  databaseAddress,
  type HubOptions,
  stderrLog,
} from '@signalbox/hub';
import { isUrl, messageOf } from '@signalbox/protocol';
import { CommandOptionsError, readCommand } from '../command-options.ts';
import { FIRST_PORT, LAST_PORT } from '../hub-ports.ts';
import { readSettings } from './up-settings.ts';

export const UP_HELP = `Usage: signalbox up [options]

Runs the hub: agents dial in; people watch, prompt and answer. Its data is in $SIGNALBOX_HOME
(~/.signalbox). If a hub is running already, prints a link that signs in another browser.

  --port N         the port to listen on (default: the last one used, or else the first free one
                   from ${FIRST_PORT} to ${LAST_PORT})
  --host ADDRESS   the address to listen on (default: 127.0.0.1)
  --cert FILE      a certificate and its key, both as PEM: needed for an address that other
  --key FILE       machines can reach
  --behind-proxy   a proxy in front of the hub does the encryption
  --name NAME      a host name that the hub is reached by, with its port where that is not the usual
                   one; may be repeated, links use the first
  --open-relay     frontends (/ws) and agents (/) of this machine need no token; on loopback only
  --auto-approve   allow every tool call without asking anybody (see signalbox rules)
  --no-welcome     do not start a first session on the built-in model when there is no claude, no
                   key and no session yet
  --database URL   keep all data in PostgreSQL (postgres://user@host/name) instead of a file; put
                   a password into the environment or config.json; several hubs may share it
                   (docs/SCALE.md)
  --node-address URL
                   where other hubs on the same database reach this one (default: its socket, if it
                   listens on loopback, or else its name)
  --log LEVEL      what to log on stderr: debug, info, warn, error or off (default: info)
  --replace        take over from the hub that is running, such as one of an earlier version: it
                   stops, and agents, terminals and pages move to this one, on the same port
  -h, --help       this text

Options that are not given are taken from the environment (SIGNALBOX_PORT, SIGNALBOX_BEHIND_PROXY=1,
SIGNALBOX_LOG, …), then from config.json in $SIGNALBOX_HOME, under the same names:
{"port": 8765, "log": "warn"}.
`;

/** What can be set by a flag, a variable or `config.json`. */
export const SETTINGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  'behind-proxy': { type: 'boolean' },
  name: { type: 'string', multiple: true },
  'open-relay': { type: 'boolean' },
  'auto-approve': { type: 'boolean' },
  'no-welcome': { type: 'boolean' },
  log: { type: 'string' },
  database: { type: 'string' },
  'node-address': { type: 'string' },
} as const;

const OPTIONS = {
  ...SETTINGS,
  replace: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What `signalbox up` was told, checked as far as that goes without a hub. */
export interface UpOptions {
  wantsHelp: boolean;
  wantsWelcome: boolean;
  /** The address of a PostgreSQL database, in the place of a file. */
  database: string | undefined;
  /** Where other hubs on the same database reach this one. */
  nodeAddress: string | undefined;
  /** Whether a hub that runs is to be ended, and gone on with. */
  replaces: boolean;
  /** Whether something was said that a hub which runs already does not heed. */
  isSpecial: boolean;
  hub: Omit<HubOptions, 'store' | 'launch'>;
}

/** Raises `COMMAND_OPTIONS`, `SETTING_INVALID`, `STORE_ADDRESS`, and what a hub would raise that was started so. */
export function readUpOptions(argv: readonly string[], home: string): UpOptions {
  const { values: said, positionals } = readCommand('up', argv, OPTIONS);
  const [word] = positionals;
  if (word !== undefined) throw wrong(`"${word}" is no option.`);
  const values: typeof said = said.help ? said : { ...readSettings(home, process.env, SETTINGS), ...said };
  const { host = '127.0.0.1', port, name: names = [] } = values;
  const tls = tlsOf(values);
  const behindProxy = values['behind-proxy'] ?? false;
  const openRelay = values['open-relay'] ?? false;
  if (openRelay) assertOpenRelay({ host, behindProxy });
  assertProtected({ host, behindProxy, ...tls });
  return {
    wantsHelp: values.help ?? false,
    wantsWelcome: !values['no-welcome'],
    database: values.database === undefined ? undefined : databaseAddress(values.database).url,
    nodeAddress: values['node-address'],
    replaces: values.replace ?? false,
    isSpecial: Object.keys(said).some((key) => key !== 'no-welcome'),
    hub: {
      host,
      names: names.map(nameOf),
      behindProxy,
      openRelay,
      autoApprove: values['auto-approve'] ?? false,
      log: stderrLog({ SIGNALBOX_LOG: values.log }),
      ...tls,
      ...(port === undefined ? {} : { port: portOf(port) }),
    },
  };
}

function tlsOf({ cert: certFile, key: keyFile }: { cert?: string; key?: string }): Pick<HubOptions, 'tls'> {
  if (certFile === undefined && keyFile === undefined) return {};
  if (certFile === undefined || keyFile === undefined) throw wrong('--cert and --key go together.');
  const tls = { cert: readText(certFile), key: readText(keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw wrong(`${certFile} and ${keyFile} are no certificate with its key: ${messageOf(error)}.`);
  }
  return { tls };
}

/** `box.lan`, or `box.lan:8443` where people use another port than the usual one. */
function nameOf(text: string): string {
  const url = isUrl(`https://${text}`) ? new URL(`https://${text}`) : undefined;
  if (url?.href !== `https://${url?.host}/` || /[/?#]/.test(text))
    throw wrong(`${text} is no name of a host. It is one like hub.example.com or hub.example.com:8443.`);
  return text;
}

function portOf(text: string): number {
  if (!isPort(text)) throw wrong(`${text} is no port.`);
  return Number(text);
}

export function isPort(text: string): boolean {
  const port = Number(text);
  return Number.isInteger(port) && port >= 0 && port <= 65_535;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`Cannot read ${file}: ${messageOf(error)}.`);
  }
}

function wrong(problem: string): CommandOptionsError {
  return new CommandOptionsError('up', problem);
}
