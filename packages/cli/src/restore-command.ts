import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { signalboxHome } from '@signalbox/hub/bridge';
import { byteWords, SignalboxError } from '@signalbox/protocol';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { localHub } from './hub/find-hub.ts';
import { holderOf } from './hub/hub-process.ts';
import { leftAgents } from './hub/left-agents.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';

const HELP = `Usage: signalbox restore [--replace] [--json] <file>

Restores a backup as the data of this machine's hub ($SIGNALBOX_HOME, default ~/.signalbox). No hub
may be running there. Nothing is changed before the file has been copied and checked.

  --replace    replace existing data, which is kept in a folder beside it
  --json       print what was done as JSON
  -h, --help   this text

Exit codes: 0 done, 1 not done and nothing changed, 2 wrong command line.
`;

const OPTIONS = {
  replace: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A backup is to be put back where a hub runs. */
export class HubRunsError extends SignalboxError {
  constructor(home: string) {
    super(
      'HUB_RUNS',
      `${holderOf(home)} uses ${home}. Nothing was changed. End it with ${commandHere('down')}, then restore.`,
    );
  }
}

/** A file is no backup that can be put back. */
export class BackupInvalidError extends SignalboxError {
  constructor(file: string, why: string) {
    super('BACKUP_INVALID', `${file} is no backup that can be restored: ${why}. Nothing was changed.`);
  }
}

/** There is data already. */
export class HomeNotEmptyError extends SignalboxError {
  constructor(home: string) {
    super(
      'HOME_NOT_EMPTY',
      `${home} has data already. Nothing was changed. --replace puts the backup in its place and keeps it aside.`,
    );
  }
}

/** Run `signalbox restore …`. */
export async function runRestore(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('restore', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0)
    throw new CommandOptionsError('restore', 'Say one file to restore.');
  const file = resolve(name);
  const home = signalboxHome();
  if (!existsSync(file)) throw new BackupInvalidError(file, 'there is no such file');
  if (await localHub(home)) throw new HubRunsError(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { aside, bytes, sessions } = await putBack(file, home, options.replace ?? false);
  if (options.json)
    process.stdout.write(`${JSON.stringify({ home, bytes, sessions, aside: aside ?? null })}\n`);
  else
    process.stdout.write(
      `${home} has ${sessions} ${sessions === 1 ? 'session' : 'sessions'} again (${byteWords(bytes)}). ${commandHere('up')} starts the hub.
${aside === undefined ? '' : `What was there before is in ${aside}\n`}${await leftAgents(home)}`,
    );
  return 0;
}

async function putBack(file: string, home: string, replaces: boolean) {
  const { DatabaseThereError, draftOf, restoreBackup, StoreCorruptError, StoreInUseError } = await import(
    '@signalbox/hub'
  );
  const database = join(home, 'hub.db');
  try {
    return await restoreBackup(file, database, replaces);
  } catch (error) {
    if (error instanceof StoreInUseError) throw new HubRunsError(home);
    if (error instanceof DatabaseThereError) throw new HomeNotEmptyError(home);
    if (error instanceof StoreCorruptError)
      throw new BackupInvalidError(file, error.subject.replace(draftOf(database), 'it'));
    throw error;
  }
}
