import { listAt, numberAt } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { promptTable } from './fork/prompt-table.ts';
import { promptsOf } from './fork/prompts-of.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox fork [SESSION] [options]

Starts a new session from a point in the conversation of another one, which stays as it is. The start
of its id is enough.

  --list             list the latest prompts, with the numbers that --before takes
  --before N         keep only what was said before this prompt
  --files            with --before: first restore the files that its tools changed since then
  --dry-run          with --files: only list those files
  --title TEXT       the title of the new session
  --json             print the session, the prompts or the files as JSON
${HUB_HELP}
  -h, --help         this text
`;

/** How many prompts are listed. */
const LISTED = 50;

/** A session may have more prompts than anybody lists; one that is named is looked for among so many. */
const LOOKED_THROUGH = 10_000;

const OPTIONS = {
  ...HUB_OPTIONS,
  list: { type: 'boolean' },
  before: { type: 'string' },
  files: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  title: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Run `signalbox fork …`. */
export async function runFork(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('fork', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [start, ...others] = positionals;
  if (others.length > 0)
    throw new CommandOptionsError('fork', `One session at a time: ${others.join(' ')} is too much.`);
  const before = beforeOf(options);
  const api = new HubApi(addressOf(await findHub(options)));
  const { id } = await pickSession(api, start);
  if (options.list) return list(api, id, options);
  if (before !== undefined && options.files) {
    await putBack(api, id, before, options);
    if (options['dry-run']) return 0;
  }
  const { title } = options;
  const session = await api.fork(id, {
    ...(before === undefined ? {} : { before }),
    ...(title === undefined ? {} : { title }),
  });
  if (options.json) process.stdout.write(`${JSON.stringify(session, undefined, 2)}\n`);
  else
    process.stdout.write(
      `${shortId(session.id)}  ${harmless(session.title ?? '')}\n${commandHere(`attach ${shortId(session.id)}`)} goes on there.\n`,
    );
  return 0;
}

async function list(api: HubApi, id: string, { json }: Options): Promise<number> {
  const prompts = await promptsOf(api, id, LISTED);
  if (json) process.stdout.write(`${JSON.stringify(prompts, undefined, 2)}\n`);
  else if (prompts.length === 0) process.stdout.write('Nobody has said anything there yet.\n');
  else process.stdout.write(`${promptTable(prompts, roomOf(process.stdout))}\n`);
  return 0;
}

/** Put files back, or say which would be. The agent knows prompts by their uuids. */
async function putBack(api: HubApi, id: string, before: number, options: Options): Promise<void> {
  const prompt = (await promptsOf(api, id, LOOKED_THROUGH)).find(({ seq }) => seq === before);
  const request = { subtype: 'rewind_files', user_message_id: prompt?.uuid ?? '' };
  const ask = (dry_run: boolean) =>
    api.ask('POST /api/sessions/{session}/control', {
      params: { session: id },
      body: { ...request, dry_run },
    });
  const looked = await ask(true);
  const files = listAt(looked, 'filesChanged').map(String);
  const lines = `+${numberAt(looked, 'insertions') ?? 0} −${numberAt(looked, 'deletions') ?? 0}`;
  if (options['dry-run'] && options.json) process.stdout.write(`${JSON.stringify(looked, undefined, 2)}\n`);
  else if (!options.json) {
    const words = files.length === 0 ? 'No file has changed since then.' : `Files, changed by ${lines}:`;
    process.stdout.write(`${[words, ...files.map((file) => `  ${harmless(file)}`)].join('\n')}\n`);
  }
  if (!options['dry-run'] && files.length > 0) await ask(false);
}

function beforeOf({ before, files, list: isList, 'dry-run': isDry }: Options): number | undefined {
  if (files && before === undefined)
    throw new CommandOptionsError('fork', '--files goes back to a prompt: --before N names it.');
  if (isDry && !files) throw new CommandOptionsError('fork', '--dry-run is about --files.');
  if (isList && before !== undefined)
    throw new CommandOptionsError('fork', '--list says what --before takes: leave one of them out.');
  if (before === undefined) return undefined;
  const seq = Number(before);
  if (Number.isSafeInteger(seq) && seq > 0) return seq;
  throw new CommandOptionsError('fork', `--before is a number that --list shows, not ${before}.`);
}
