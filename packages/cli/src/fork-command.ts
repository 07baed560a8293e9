import { type JsonObject, listAt, numberAt } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { inOneLine } from './cell-text.ts';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { dividedAt, type ForkPlace, placeIn } from './fork/fork-place.ts';
import { messageTable } from './fork/message-table.ts';
import { messagesOf, type SaidMessage } from './fork/said-messages.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox fork [SESSION] [options]

Starts a new session from a point in the conversation of another one, which stays as it is. The start
of its id is enough.

  --list             list the latest messages, with the option that names each place
  --before N         keep only what was said before this prompt
  --after N          keep only what was said up to this reply of the agent, and the reply
  --files            first restore the files that its tools changed since that place
  --no-conversation  with --files: only restore the files, and start no new session
  --dry-run          only show what of the conversation is kept, and with --files those files
  --title TEXT       the title of the new session
  --json             print the session, the messages or what would be done as JSON
${HUB_HELP}
  -h, --help         this text
`;

/** How many messages are listed. */
const LISTED = 50;

/** A session may have more messages than anybody lists; one that is named is looked for among this many. */
const LOOKED_THROUGH = 10_000;

const OPTIONS = {
  ...HUB_OPTIONS,
  list: { type: 'boolean' },
  before: { type: 'string' },
  after: { type: 'string' },
  files: { type: 'boolean' },
  'no-conversation': { type: 'boolean' },
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
  const place = placeIn(options);
  checkTogether(options, place);
  const api = new HubApi(addressOf(await findHub(options)));
  const { id } = await pickSession(api, start);
  if (options.list) return list(api, id, options);
  if (options['dry-run'] && place) return preview(api, id, place, options);
  if (options.files && place) {
    const files = await rewind(api, id, place, { isTrial: false });
    if (!options.json) process.stdout.write(filesWords(files));
    else if (options['no-conversation']) sayJson({ files: files ?? null });
    if (options['no-conversation']) return 0;
  }
  const { title } = options;
  const session = await api.fork(id, { ...place, ...(title === undefined ? {} : { title }) });
  if (options.json) sayJson(session);
  else
    process.stdout.write(
      `${shortId(session.id)}  ${harmless(session.title ?? '')}\n${commandHere(`attach ${shortId(session.id)}`)} goes on there.\n`,
    );
  return 0;
}

async function list(api: HubApi, id: string, { json }: Options): Promise<number> {
  const messages = await messagesOf(api, id, LISTED);
  if (json) sayJson(messages);
  else if (messages.length === 0) process.stdout.write('Nobody has said anything there yet.\n');
  else process.stdout.write(`${messageTable(messages, roomOf(process.stdout))}\n`);
  return 0;
}

/** What would be kept and left out of the conversation, and which files would be restored. */
async function preview(api: HubApi, id: string, place: ForkPlace, options: Options): Promise<number> {
  const { kept, leftOut } = dividedAt(await messagesOf(api, id, LOOKED_THROUGH), place);
  const files = options.files ? await rewind(api, id, place, { isTrial: true }) : undefined;
  if (options.json) sayJson({ kept, leftOut, ...(options.files ? { files: files ?? null } : {}) });
  else {
    const conversation = options['no-conversation']
      ? ''
      : `The new session knows ${counted(kept)}.\n${leftWords(leftOut)}`;
    process.stdout.write(`${conversation}${options.files ? filesWords(files) : ''}`);
  }
  return 0;
}

function leftWords(messages: readonly SaidMessage[]): string {
  if (messages.length === 0) return 'Nothing is left out.\n';
  const lines = messages.slice(0, LISTED).map(({ by, text }) => `  ${by}: ${inOneLine(text).slice(0, 80)}`);
  const more = messages.length > LISTED ? [`  and ${messages.length - LISTED} more`] : [];
  return `Left out, ${counted(messages)}:\n${[...lines, ...more].join('\n')}\n`;
}

function counted(messages: readonly SaidMessage[]): string {
  return messages.length === 1 ? '1 message' : `${messages.length} messages`;
}

/**
 * Restore files, or say which would be. The agent knows prompts by their uuids: after a reply that is the next prompt, and where there is
 * none nothing has changed since.
 */
async function rewind(
  api: HubApi,
  id: string,
  place: ForkPlace,
  { isTrial }: { isTrial: boolean },
): Promise<JsonObject | undefined> {
  const messages = await messagesOf(api, id, LOOKED_THROUGH);
  const prompt = messages.find(
    ({ seq, by }) => by === 'person' && ('before' in place ? seq === place.before : seq > place.after),
  );
  if (!prompt && 'after' in place) return undefined;
  const ask = (dry_run: boolean) =>
    api.ask('POST /api/sessions/{session}/control', {
      params: { session: id },
      body: { subtype: 'rewind_files', user_message_id: prompt?.uuid ?? '', dry_run },
    });
  const looked = await ask(true);
  if (!isTrial && listAt(looked, 'filesChanged').length > 0) await ask(false);
  return looked;
}

function filesWords(looked: JsonObject | undefined): string {
  const files = looked ? listAt(looked, 'filesChanged').map(String) : [];
  if (!looked || files.length === 0) return 'No file has changed since then.\n';
  const lines = `+${numberAt(looked, 'insertions') ?? 0} −${numberAt(looked, 'deletions') ?? 0}`;
  return `${[`Files, changed by ${lines}:`, ...files.map((file) => `  ${harmless(file)}`)].join('\n')}\n`;
}

function checkTogether(options: Options, place: ForkPlace | undefined): void {
  const { files, list: isList, 'dry-run': isDry, 'no-conversation': isFilesOnly } = options;
  if (files && !place)
    throw new CommandOptionsError('fork', '--files goes back to a place: --before N or --after N names it.');
  if (isDry && !place) throw new CommandOptionsError('fork', '--dry-run is about --before N or --after N.');
  if (isFilesOnly && !files) throw new CommandOptionsError('fork', '--no-conversation goes with --files.');
  if (isList && place)
    throw new CommandOptionsError(
      'fork',
      '--list says what --before and --after take: leave one of them out.',
    );
}

function sayJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
