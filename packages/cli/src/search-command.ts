import { resolve } from 'node:path';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession } from './hub/pick-session.ts';
import { printHelp } from './print-help.ts';
import { hitLines } from './search/hit-lines.ts';
import { momentOf } from './search/moment.ts';

const HELP = `Usage: signalbox search [options] <words>

Searches all sessions of the hub, newest first: what people and agents said, tool calls and their
results. All words must occur; "words in quotes" must follow each other, and wor* matches every word
that begins with it. Each hit starts with its place, SESSION#ENTRY.

  --session ID       only in this session; the start of its id is enough
  --folder PATH      only in sessions of this folder and the folders below it
  --tool NAME        only calls of this tool and their results
  --person NAME      only what this person said
  --since WHEN       from then on: 2026-11-17, 2026-11-17T08:30, or 30m, 12h, 3d, 2w (ago)
  --until WHEN       up to then, written the same way; a day counts to its end
  --limit N          how many hits to show (default: 20)
  --json             print all details as JSON
${HUB_HELP}
  -h, --help         this text

Exit codes: 0 something was found, 1 nothing was found, 2 wrong command line or failed search.
`;

/** What the hub gives at a time. */
const MAX = 100;

const OPTIONS = {
  ...HUB_OPTIONS,
  session: { type: 'string' },
  folder: { type: 'string' },
  tool: { type: 'string' },
  person: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox search …`. */
export async function runSearch(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('search', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const words = positionals.join(' ');
  if (!/[\p{L}\p{N}]/u.test(words))
    throw new CommandOptionsError('search', 'Say what to look for: a word has letters or digits.');
  const now = Date.now();
  const { session, folder, tool, person, since, until, limit = '20' } = options;
  const query = {
    words,
    limit: limitOf(limit),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
    ...(tool === undefined ? {} : { tool }),
    ...(person === undefined ? {} : { person }),
    ...(since === undefined ? {} : { since: whenOf('since', since, now) }),
    ...(until === undefined ? {} : { until: whenOf('until', until, now) }),
  };
  const api = new HubApi(addressOf(await findHub(options)));
  const held = session === undefined ? {} : { session: (await pickSession(api, session)).id };
  const { items, isComplete, next } = await api.ask('GET /api/search', { query: { ...query, ...held } });
  if (!isComplete)
    process.stderr.write('The hub is still indexing what was said earlier: there may be more to find.\n');
  const isColored = process.stdout.isTTY && !process.env.NO_COLOR;
  if (options.json) process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
  else if (items.length === 0) process.stdout.write('Nothing was found.\n');
  else process.stdout.write(items.map((hit) => hitLines(hit, now, isColored)).join(''));
  if (next !== undefined && !options.json)
    process.stdout.write(`There is more; --limit shows up to ${MAX}, --until what is older.\n`);
  return items.length > 0 ? 0 : 1;
}

function whenOf(option: 'since' | 'until', text: string, now: number): number {
  const moment = momentOf(text, now, option === 'until');
  if (moment !== undefined) return moment;
  throw new CommandOptionsError('search', `--${option} is a day, a time or an age such as 3d, not ${text}.`);
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX) return limit;
  throw new CommandOptionsError('search', `--limit is a number from 1 to ${MAX}, not ${text}.`);
}
