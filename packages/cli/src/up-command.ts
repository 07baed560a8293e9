import { existsSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AGENT_VERSION } from '@signalbox/agent/version';
import {
  assertDatabaseKnown,
  assertVersionKnown,
  describeDamage,
  type Hub,
  HubNotStartedError,
  type HubOptions,
  type LocalAgent,
  type Log,
  Node,
  openSqliteStore,
  SearchIndexDamagedError,
  type Store,
  StoreInUseError,
  StoreLogDamagedError,
  startHub,
} from '@signalbox/hub';
import { readHubFile, signalboxHome } from '@signalbox/hub/bridge';
import { messageOf } from '@signalbox/protocol';
import { consoleFolder } from './console-folder.ts';
import { launchFirstSession } from './first-session.ts';
import { endHub } from './hub/end-process.ts';
import { localHub } from './hub/find-hub.ts';
import { leftAgents } from './hub/left-agents.ts';
import { FIRST_PORT, LAST_PORT } from './hub-ports.ts';
import { hasModel, localAgents } from './local-agents.ts';
import { ownCommand, shellWord } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { isReachable } from './qr-code.ts';
import { ConfigAgents } from './up/config-agents.ts';
import { dialInCommand } from './up/dial-in.ts';
import { commandField, fieldNote } from './up/field-lines.ts';
import { FOLDER_TRUST } from './up/folder-trust.ts';
import { ownTokenFile } from './up/own-token.ts';
import { readRetention, retentionSettings } from './up/retention-settings.ts';
import { runNode } from './up/run-node.ts';
import { HubBusyError, runningWords, signInFields } from './up/running-hub.ts';
import { STORED_CONVERSATIONS } from './up/stored-conversations.ts';
import { untilOver } from './up/until-over.ts';
import { readUpOptions, UP_HELP } from './up/up-options.ts';
import { variableFor } from './up/up-settings.ts';
import { fitted, roomOf } from './wrap-words.ts';

const OPEN_RELAY = `WARNING: --open-relay: every program of this machine may drive every agent, and be one, without a token.\n`;
const AUTO_APPROVE = `WARNING: --auto-approve: every tool call of every agent is allowed, and nobody is asked.\n`;

const PHONE = `
From a phone: start it with --host, --name, --cert and --key, or behind a proxy (docs/CONSOLE.md); it then shows a QR code.
`;

/** Run `signalbox up …` until `signal` fires; where a hub runs already, say how to get in. */
export async function runUp(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const home = signalboxHome();
  const {
    wantsHelp,
    wantsWelcome,
    database,
    nodeAddress,
    replaces,
    isSpecial,
    hub: options,
  } = readUpOptions(argv, home);
  // It may hold a password, which is no business of agents and shells.
  delete process.env[variableFor('database')];
  if (wantsHelp) {
    printHelp(UP_HELP);
    return 0;
  }
  const definitions = new ConfigAgents(home);
  readRetention(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const running = await localHub(home);
  if (running && replaces) await takeOver(home, database);
  else if (running) {
    process.stdout.write(await runningWords(running, home, isSpecial));
    return 0;
  }
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const agents = (): LocalAgent[] => localAgents(program, process.env, definitions.current);
  const dialIn = dialInCommand(agents());
  const launch = { home, program, agents, definitions, dialIn, conversations: STORED_CONVERSATIONS };
  const hubOptions = {
    ...options,
    ...consoleFolder(),
    launch,
    trust: FOLDER_TRUST,
    retention: retentionSettings(home),
  };
  const serve = async (hub: Hub, store: Store, welcome: string): Promise<void> => {
    if (options.openRelay) process.stderr.write(OPEN_RELAY);
    if (options.autoApprove) process.stderr.write(AUTO_APPROVE);
    process.stdout.write(welcome);
    if (wantsWelcome && !hasModel(agents(), process.env))
      // Nobody waits for it: whoever ends the hub meanwhile has ended it.
      launchFirstSession(hub, store, home).catch((error: unknown) => {
        if (!signal.aborted) process.stderr.write(`signalbox up: ${messageOf(error)}\n`);
      });
    await untilOver(store, signal);
  };
  if (database !== undefined) {
    const ports = options.port === undefined ? portsFor(home) : [options.port];
    const node = await onFirstFree(ports, (port) =>
      Node.start({ ...options, port, database, home, address: nodeAddress, version: AGENT_VERSION }),
    );
    await runNode(node, {
      signal,
      hub: hubOptions,
      welcome: () => welcomeWords(node, node.devices, home, dialIn),
      serve,
    });
    process.stdout.write(await leftAgents(home));
    return 0;
  }
  const store = await openStore(home, options.log);
  try {
    const hub = await start({ ...hubOptions, store }, home);
    try {
      await serve(hub, store, await welcomeWords(hub, store.devices, home, dialIn));
    } finally {
      // Also where its words could not be told: a hub that nobody can talk to must not stay.
      await hub.close();
    }
    process.stdout.write(await leftAgents(home));
  } finally {
    await store.close();
  }
  return 0;
}

/** End the hub that runs. What would keep this one from starting is looked at before. */
async function takeOver(home: string, database: string | undefined): Promise<void> {
  if (database !== undefined) await assertDatabaseKnown(database);
  else if (existsSync(join(home, 'hub.db'))) assertVersionKnown(join(home, 'hub.db'));
  const { pid } = readHubFile(home) ?? {};
  if (pid === undefined) throw new HubBusyError(home);
  await endHub(pid);
  process.stdout.write(`ended the hub (pid ${pid}), to go on in its place\n`);
}

async function openStore(home: string, log: Log | undefined): Promise<Store> {
  try {
    return await openSqliteStore(join(home, 'hub.db'), {
      onDamagedLog: (damage) => {
        const { code, message } = new StoreLogDamagedError(describeDamage(damage));
        log?.warn('damaged log', { code, message });
      },
      onDamagedIndex: (why) => {
        const { code, message } = new SearchIndexDamagedError(why);
        log?.warn('damaged search index', { code, message });
      },
    });
  } catch (error) {
    throw error instanceof StoreInUseError ? new HubBusyError(home) : error;
  }
}

function start(options: HubOptions, home: string): Promise<Hub> {
  if (options.port !== undefined) return startHub(options);
  return onFirstFree(portsFor(home), (port) => startHub({ ...options, port }));
}

async function onFirstFree<Started>(
  [port = 0, ...others]: number[],
  begin: (port: number) => Promise<Started>,
): Promise<Started> {
  try {
    return await begin(port);
  } catch (error) {
    const isTaken = error instanceof HubNotStartedError && error.isPortInUse;
    if (!isTaken || others.length === 0) throw error;
    return onFirstFree(others, begin);
  }
}

/** First of all the port of last time: that is where people and agents of other machines look for the hub. */
function portsFor(home: string): number[] {
  const range = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, at) => FIRST_PORT + at);
  return [...new Set([lastPort(home) ?? FIRST_PORT, ...range])];
}

function lastPort(home: string): number | undefined {
  const file = readHubFile(home);
  return file && (Number(new URL(file.dial ?? file.url).port) || undefined);
}

/** What is up, and lets in those who ask for it here: a hub, or a node that passes on to another one. */
type Up = Pick<Hub, 'publicUrl' | 'socket' | 'createSignInLink'>;

async function welcomeWords(
  hub: Up,
  devices: Parameters<typeof ownTokenFile>[0],
  home: string,
  dialIn: string,
): Promise<string> {
  const person = userInfo().username;
  const link = await hub.createSignInLink({ person, name: 'browser', scope: 'admin', session: null });
  const file = await ownTokenFile(devices, home, person);
  const phone = isReachable(link) ? '' : PHONE;
  const bearer = `-H "authorization: Bearer $(cat ${shellWord(file)})"`;
  const { socket = '' } = hub;
  const call = `curl --unix-socket ${shellWord(socket)} ${bearer} http://localhost/api/sessions`;
  const room = roomOf(process.stdout);
  const fields = [
    signInFields(link, room),
    commandField('another', `${ownCommand()} link`, room),
    commandField('dial in', dialIn, room),
    commandField('call', call, room),
    commandField('end', `${ownCommand()} down --agents`, room),
    fieldNote('(Ctrl-C ends the hub alone: its agents go on and come back)', room),
  ];
  return `signalbox is up at ${hub.publicUrl}\n\n${fields.join('')}${fitted(phone, process.stdout)}`;
}
