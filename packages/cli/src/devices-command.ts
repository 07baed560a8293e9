import { SignalboxError } from '@signalbox/protocol';
import { HubApi, type KnownDevice } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { everyItem } from './hub/every-item.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickById } from './hub/pick-by-id.ts';
import { shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { fittedTable } from './text-table.ts';
import { ageWords } from './time-words.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox devices [options]
       signalbox devices revoke <id>

Lists the browsers and programs that are signed in to the hub as a person. revoke signs one out for
good and closes its connections. The start of an id is enough. signalbox link signs one in.

  --json             print all details as JSON, including devices that were signed out
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const SHAPE = {
  columns: ['ID', 'PERSON', 'DEVICE', 'MAY', 'SEEN'],
  leftOut: ['PERSON', 'SEEN'],
  cut: { column: 'DEVICE', least: 12, most: 40 },
} as const;

/** No device, or more than one, is meant by what was said. */
export class DeviceUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('DEVICE_UNCLEAR', `${problem} ${commandHere('devices')} lists them.`);
  }
}

/** Run `signalbox devices …`. */
export async function runDevices(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readCommand('devices', argv, OPTIONS);
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, start, ...rest] = positionals;
  if (word !== undefined && (word !== 'revoke' || start === undefined || rest.length > 0))
    throw new CommandOptionsError('devices', 'Say revoke, and the id of one device.');
  const api = new HubApi(addressOf(await findHub(values)));
  const all = await everyItem((page) => api.devices(page));
  const now = Date.now();
  const good = all.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? now) >= now);
  if (start !== undefined) {
    const { id, person, name } = pickById(good, start, 'device', DeviceUnclearError);
    await api.revokeDevice(id);
    process.stdout.write(`signed out ${shortId(id)} ${harmless(`${person} on ${name}`)}\n`);
    return 0;
  }
  const { id: own } = await api.me();
  process.stdout.write(
    values.json
      ? `${JSON.stringify(all, undefined, 2)}\n`
      : `${fittedTable(
          SHAPE,
          good.map((device) => cells(device, own, now)),
          roomOf(process.stdout),
        )}\n`,
  );
  return 0;
}

function cells({ id, person, name, scope, session, lastSeenAt }: KnownDevice, own: string, now: number) {
  return {
    ID: shortId(id),
    PERSON: harmless(person),
    DEVICE: harmless(name),
    MAY: session === null ? harmless(scope) : harmless(`${scope} in ${shortId(session)}`),
    SEEN: seenWords(lastSeenAt, id === own, now),
  };
}

function seenWords(lastSeenAt: number | null, isOwn: boolean, now: number): string {
  if (isOwn) return 'this one';
  return lastSeenAt === null ? 'never' : ageWords(now - lastSeenAt);
}
