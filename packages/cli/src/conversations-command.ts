import { resolve } from 'node:path';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { conversationTable } from './conversations/conversation-table.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox conversations [options]

Lists the conversations of claude and signalbox-agent on the hub's machine, newest first.
signalbox run --resume ID continues one; with --fork, a copy of it.

  --folder PATH      only those of this folder and of its repository's other worktrees
  --limit N          how many to show (default: 20)
  --json             print all details as JSON
${HUB_HELP}
  -h, --help         this text
`;

/** What the hub gives at a time. */
const MAX = 500;

const OPTIONS = {
  ...HUB_OPTIONS,
  folder: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox conversations …`. */
export async function runConversations(argv: readonly string[]): Promise<number> {
  const { values: options } = readCommand('conversations', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const { folder, limit = '20' } = options;
  const api = new HubApi(addressOf(await findHub(options)));
  const { items } = await api.conversations({
    limit: limitOf(limit),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
  });
  if (options.json) process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
  else if (items.length === 0)
    process.stdout.write(`No conversations. ${commandHere('run "…"')} begins one.\n`);
  else process.stdout.write(`${conversationTable(items, Date.now(), roomOf(process.stdout))}\n`);
  return 0;
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX) return limit;
  throw new CommandOptionsError('conversations', `--limit is a number from 1 to ${MAX}, not ${text}.`);
}
