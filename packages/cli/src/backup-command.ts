import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { signalboxHome } from '@signalbox/hub/bridge';
import { byteWords } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS, HubNotFoundError } from './hub/find-hub.ts';
import { printHelp } from './print-help.ts';
import { assertWritable, writeWholeFile } from './write-whole-file.ts';

const HELP = `Usage: signalbox backup [options] <file>

Writes a copy of all the hub's data to one file: sessions with everything said in them, prompts,
questions, rules, devices, the audit log. The hub keeps running. If none is running, the data in
$SIGNALBOX_HOME is copied. The file appears only once it is complete and checked, and is readable
only by you. signalbox restore restores it.

  --force            replace an existing file
  --json             print what was written as JSON
${HUB_HELP}
  -h, --help         this text

Exit codes: 0 written, 1 not written, 2 wrong command line.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  force: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox backup …`. */
export async function runBackup(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('backup', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0)
    throw new CommandOptionsError('backup', 'Say one file to write the backup to.');
  const file = resolve(name);
  const replaces = options.force ?? false;
  assertWritable(file, { replaces });
  const { checkBackup } = await import('@signalbox/hub');
  const source = await sourceOf(options);
  try {
    const { bytes, sessions } = await writeWholeFile(file, source.chunks, checkBackup, { replaces });
    const words = `${file}: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${byteWords(bytes)}`;
    process.stdout.write(options.json ? `${JSON.stringify({ file, bytes, sessions })}\n` : `${words}\n`);
  } finally {
    await source.close();
  }
  return 0;
}

interface Source {
  chunks: AsyncIterable<Uint8Array>;
  close: () => Promise<void>;
}

/** From the hub, which alone may read its data while it runs; else from the data. */
async function sourceOf(options: { hub?: string; 'token-file'?: string }): Promise<Source> {
  try {
    const api = new HubApi(addressOf(await findHub(options)));
    return { chunks: await api.download('GET /api/backup'), close: async () => {} };
  } catch (error) {
    const database = join(signalboxHome(), 'hub.db');
    if (!(error instanceof HubNotFoundError) || !existsSync(database)) throw error;
    const { openSqliteStore } = await import('@signalbox/hub');
    const store = await openSqliteStore(database);
    const close = (): Promise<void> => store.close();
    try {
      return { chunks: (await store.backups?.make()) ?? nothing(), close };
    } catch (failure) {
      await close();
      throw failure;
    }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
