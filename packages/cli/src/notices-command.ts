import { readFileSync } from 'node:fs';
import { SignalboxError } from '@signalbox/protocol';
import { NOTICE_KINDS } from '@signalbox/protocol/hub';
import { HubApi, type NewNoticeTarget, type NoticeTarget } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickById } from './hub/pick-by-id.ts';
import { pickSession } from './hub/pick-session.ts';
import {
  deliveriesOf,
  noticeTable,
  outcomeOfTest,
  targetTable,
  targetWords,
} from './notices/notice-words.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox notices [options]
       signalbox notices add <url> [options]
       signalbox notices test <id>
       signalbox notices rm <id>
       signalbox notices log

The hub notifies you when an agent asks, finishes, fails or nears its budget while nobody is looking.
add sends notices to a webhook or an ntfy topic (--ntfy); browsers are added in the console. test
sends a test notice and exits with 1 if it does not arrive. log lists the latest notices and
whether each was delivered. The start of an id is enough.

  --ntfy             the address is that of an ntfy topic: https://ntfy.sh/topic
  --ntfy-token FILE  a file with an access token of the ntfy server
  --name NAME        the name of the target
  --kinds LIST       some of asks,finished,failed,budget (default: all)
  --session ID       only for this session
  --answers          add Allow and Deny to notices: everyone who reads the target may answer
  --inside           allow an address inside your network
  --json             print the result as JSON
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  ntfy: { type: 'boolean' },
  'ntfy-token': { type: 'string' },
  name: { type: 'string' },
  kinds: { type: 'string' },
  session: { type: 'string' },
  answers: { type: 'boolean' },
  inside: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Each gives the exit code. */
const ACTIONS: Record<string, (api: HubApi, named: string, options: Options) => Promise<number>> = {
  add,
  test,
  rm: remove,
};

/** How long a test is waited for, and how often it is looked at. */
const TEST_PATIENCE_MS = 20_000;
const TEST_LOOK_MS = 100;

/** How many notices are listed. */
const LISTED = 50;

/** No target, or more than one, is meant by what was said. */
export class NoticeTargetUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('NOTICE_TARGET_UNCLEAR', `${problem} ${commandHere('notices')} lists them.`);
  }
}

/** Run `signalbox notices …`. */
export async function runNotices(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('notices', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, named, ...rest] = positionals;
  const takesName = word !== undefined && word !== 'log';
  const action = takesName ? ACTIONS[word] : undefined;
  if (rest.length > 0 || takesName !== (action !== undefined) || takesName !== (named !== undefined))
    throw new CommandOptionsError('notices', 'Say add <url>, test <id>, rm <id> or log.');
  if (word === 'add') kindsIn(options);
  const api = new HubApi(addressOf(await findHub(options)));
  if (action && named !== undefined) return action(api, named, options);
  return word === 'log' ? log(api, options) : list(api, options);
}

async function list(api: HubApi, { json }: Options): Promise<number> {
  const targets = await api.noticeTargets();
  if (json) return say(targets);
  process.stdout.write(
    targets.length === 0
      ? `Nobody is told. ${commandHere('notices add <url>')} adds a webhook; the console turns a browser on.\n`
      : `${targetTable(targets, roomOf(process.stdout))}\n`,
  );
  return 0;
}

async function add(api: HubApi, url: string, options: Options): Promise<number> {
  const { ntfy, name, session, answers = false, inside = false, json } = options;
  const file = options['ntfy-token'];
  if (file !== undefined && !ntfy)
    throw new CommandOptionsError('notices', '--ntfy-token belongs to --ntfy.');
  const token = file === undefined ? undefined : readFileSync(file, 'utf8').trim();
  const kinds = kindsIn(options);
  const rest = {
    url,
    mayAnswer: answers,
    allowsPrivate: inside,
    ...(name === undefined ? {} : { name }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(session === undefined ? {} : { session: (await pickSession(api, session)).id }),
  };
  const body: NewNoticeTarget = ntfy
    ? { type: 'ntfy', ...rest, ...(token === undefined ? {} : { token }) }
    : { type: 'webhook', ...rest };
  const added = await api.addNoticeTarget(body);
  if (json) return say(added);
  process.stdout.write(`added ${targetWords(added.target)}\n`);
  if (added.secret !== null)
    process.stdout.write(`signed with ${harmless(added.secret)}\nThe secret is not shown again.\n`);
  return 0;
}

async function test(api: HubApi, start: string, { json }: Options): Promise<number> {
  const target = await pickTarget(api, start);
  const { notice } = await api.testNoticeTarget(target.id);
  const until = Date.now() + TEST_PATIENCE_MS;
  for (;;) {
    const delivery = deliveriesOf((await api.notices({ limit: LISTED })).items, notice)[0];
    const isOver = delivery !== undefined && (delivery.state !== 'waiting' || delivery.outcome !== null);
    if (isOver || Date.now() > until) {
      const hasArrived = delivery?.state === 'sent';
      if (json) say(delivery ?? null);
      else process.stdout.write(outcomeOfTest(target, delivery));
      return hasArrived ? 0 : 1;
    }
    await new Promise((resolve) => setTimeout(resolve, TEST_LOOK_MS));
  }
}

async function remove(api: HubApi, start: string, { json }: Options): Promise<number> {
  const target = await api.removeNoticeTarget((await pickTarget(api, start)).id);
  if (json) return say(target);
  process.stdout.write(`removed ${targetWords(target)}\n`);
  return 0;
}

async function log(api: HubApi, { session: start, json }: Options): Promise<number> {
  const session = start === undefined ? {} : { session: (await pickSession(api, start)).id };
  const { items } = await api.notices({ limit: LISTED, ...session });
  if (json) return say(items);
  process.stdout.write(
    items.length === 0 ? 'No notices yet.\n' : `${noticeTable(items, roomOf(process.stdout))}\n`,
  );
  return 0;
}

async function pickTarget(api: HubApi, start: string): Promise<NoticeTarget> {
  return pickById(await api.noticeTargets(), start, 'target', NoticeTargetUnclearError);
}

function kindsIn({ kinds }: Options): (typeof NOTICE_KINDS)[number][] | undefined {
  if (kinds === undefined) return undefined;
  return kinds.split(',').map((word) => {
    const kind = NOTICE_KINDS.find((one) => one === word.trim());
    if (kind === undefined)
      throw new CommandOptionsError('notices', `--kinds takes some of ${NOTICE_KINDS.join(', ')}.`);
    return kind;
  });
}

function say(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
  return 0;
}
