import { resolve } from 'node:path';
import { SPEND_GROUPS } from '@signalbox/protocol/hub';
import { HubApi, type SpendGroup, type SpendReport } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { printHelp } from './print-help.ts';
import { momentOf } from './search/moment.ts';
import { dollars, tokenCount } from './spend/amounts.ts';
import { fittedTable } from './text-table.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox spend [options]

Shows what agents have spent, as they report it: tokens always, dollars for paid models whose price
is known. The numbers stay when a session is removed.

  --by WHAT          day, model, folder, person or session (default: day)
  --since WHEN       from this day on: 2026-11-17, or 7d for seven days ago
  --until WHEN       up to this day
  --session ID       only this session
  --folder DIR       only this folder and those below it
  --json             print the result as JSON
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  by: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  session: { type: 'string' },
  folder: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

const SHAPE = {
  columns: ['WHAT', 'COST', 'TURNS', 'INPUT', 'OUTPUT', 'CACHED'],
  leftOut: ['CACHED', 'INPUT', 'OUTPUT', 'TURNS'],
  cut: { column: 'WHAT', least: 12, most: 60 },
} as const;

/** Run `signalbox spend …`. */
export async function runSpend(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('spend', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  if (positionals.length > 0) throw new CommandOptionsError('spend', 'It takes options alone.');
  const query = { by: groupIn(options), ...momentIn(options, 'since'), ...momentIn(options, 'until') };
  const api = new HubApi(addressOf(await findHub(options)));
  const { session, folder } = options;
  const report = await api.spend({
    ...query,
    ...(session === undefined ? {} : { session: (await pickSession(api, session)).id }),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
  });
  if (options.json) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  else process.stdout.write(reportText(report, roomOf(process.stdout)));
  return 0;
}

function reportText({ by, items, total, isCut }: SpendReport, room: number): string {
  if (items.length === 0) return 'Nothing was spent.\n';
  const rows = [
    ...items.map((item) => ({ ...item, name: nameOf(by, item) })),
    { ...total, name: isCut ? 'total, with what is not listed' : 'total' },
  ];
  const table = fittedTable(
    { ...SHAPE },
    rows.map(({ name, usd, turns, input, output, cacheRead, cacheWrite }) => ({
      WHAT: name,
      COST: usd === 0 ? '–' : dollars(usd),
      TURNS: tokenCount(turns),
      INPUT: tokenCount(input + cacheWrite),
      OUTPUT: tokenCount(output),
      CACHED: tokenCount(cacheRead),
    })),
    room,
  );
  return `${table}\n`;
}

function nameOf(by: SpendGroup, { key, title }: SpendReport['items'][number]): string {
  if (key === null) return by === 'person' ? 'nobody here' : 'not known';
  if (by !== 'session') return harmless(key);
  return harmless(`${shortId(key)}${title === null ? '' : ` ${title}`}`);
}

function groupIn({ by = 'day' }: Options): SpendGroup {
  const group = SPEND_GROUPS.find((name) => name === by);
  if (group) return group;
  throw new CommandOptionsError('spend', `--by is one of ${SPEND_GROUPS.join(', ')}.`);
}

function momentIn(options: Options, name: 'since' | 'until'): { since?: number; until?: number } {
  const said = options[name];
  if (said === undefined) return {};
  const moment = momentOf(said, Date.now());
  if (moment === undefined)
    throw new CommandOptionsError('spend', `--${name} takes a day such as 2026-11-17, or an age such as 7d.`);
  return { [name]: moment };
}
