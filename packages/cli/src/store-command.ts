import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CopyPlace } from '@signalbox/hub';
import { signalboxHome } from '@signalbox/hub/bridge';
import { SignalboxError } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, type FoundHub, localHub } from './hub/find-hub.ts';
import { printHelp } from './print-help.ts';
import { type Copied, copiedWords } from './store/copied-words.ts';
import { copyProgress } from './store/copy-progress.ts';
import { writeWholeFile } from './write-whole-file.ts';

const HELP = `Usage: signalbox store copy --to postgres://... [--json]
       signalbox store copy --from postgres://... [--to FOLDER] [--json]

Copies everything that a hub stores to another database: from SQLite in $SIGNALBOX_HOME to
PostgreSQL, or from PostgreSQL to SQLite in a folder (default $SIGNALBOX_HOME). Every entry is read
back and compared. The target must be empty, or an unfinished copy of the same hub: after an
interruption, run the same command again and it continues.

The hub may keep running. The copy then is not finished, because the hub goes on writing. Stop the
hub (signalbox down; its agents keep running and wait) and run the same command again: it copies
what has changed since, compares everything and finishes. Only then can a hub be started on the
copy. The source is not changed.

  --to PLACE         an empty PostgreSQL database, or a folder without data
  --from DATABASE    the PostgreSQL database to copy from
  --json             print what was copied as JSON
  -h, --help         this text

Everybody on this machine can read a command line: leave the password out, and put it into
~/.pgpass or the environment variable PGPASSWORD.

Exit codes: 0 copied, 1 not copied, 2 wrong command line, 3 copied but not finished: a hub runs.
`;

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The exit code of a copy that another pass has to finish. */
const UNFINISHED = 3;

/** There is nothing to copy. */
export class NothingToCopyError extends SignalboxError {
  constructor(file: string) {
    super('NOTHING_TO_COPY', `There is no ${file}. Set SIGNALBOX_HOME to the folder of the hub to copy.`);
  }
}

/** Run `signalbox store …`. */
export async function runStore(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('store', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, ...rest] = positionals;
  if (word !== 'copy' || rest.length > 0) throw new CommandOptionsError('store', 'Say copy, and options.');
  const { from, to, json = false } = options;
  const report =
    from === undefined ? await copyHome(to, json) : await copyDatabase(from, to ?? signalboxHome(), json);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : copiedWords(report));
  return report.isFinished ? 0 : UNFINISHED;
}

/** From the home of a hub. One that runs gives a copy of its file for each of two passes: the second is short. */
async function copyHome(to: string | undefined, json: boolean): Promise<Copied> {
  if (to === undefined || !isDatabase(to))
    throw new CommandOptionsError('store', 'Say where to copy to: --to postgres://user@host/name.');
  const home = signalboxHome();
  const file = join(home, 'hub.db');
  if (!existsSync(file)) throw new NothingToCopyError(file);
  const hub = await localHub(home);
  if (!hub) return copy({ file }, to, json);
  const first = await withSnapshot(hub, file, (snapshot) => copy(snapshot, to, json));
  const second = await withSnapshot(hub, file, (snapshot) => copy(snapshot, to, json));
  return {
    ...second,
    from: file,
    entries: first.entries + second.entries,
    bytes: first.bytes + second.bytes,
  };
}

async function copyDatabase(from: string, to: string, json: boolean): Promise<Copied> {
  if (!isDatabase(from))
    throw new CommandOptionsError('store', '--from takes the address of a PostgreSQL database.');
  if (!isDatabase(to)) mkdirSync(to, { recursive: true, mode: 0o700 });
  return copy({ database: from }, to, json);
}

async function copy(from: CopyPlace, to: string, json: boolean): Promise<Copied> {
  const { copyStoreTo, databaseAddress } = await import('@signalbox/hub');
  const place: CopyPlace = isDatabase(to) ? { database: to } : { file: join(resolve(to), 'hub.db') };
  const shown = (one: CopyPlace): string => ('file' in one ? one.file : databaseAddress(one.database).shown);
  const progress = copyProgress(json);
  const start = Date.now();
  try {
    const report = await copyStoreTo({ from, to: place }, progress.show);
    const lastPassMs = Date.now() - start;
    return { ...report, from: shown(from), to: shown(place), isDatabase: isDatabase(to), lastPassMs };
  } finally {
    progress.end();
  }
}

/** The database of a running hub, which alone may read it, as a file. */
async function withSnapshot<Result>(
  hub: FoundHub,
  file: string,
  work: (place: CopyPlace) => Promise<Result>,
): Promise<Result> {
  const { checkBackup } = await import('@signalbox/hub');
  const snapshot = `${file}-snapshot`;
  try {
    const chunks = await new HubApi(addressOf(hub)).download('GET /api/backup');
    await writeWholeFile(snapshot, chunks, checkBackup, { replaces: true });
    return await work({ file: snapshot, isSnapshot: true });
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${snapshot}${suffix}`, { force: true });
  }
}

function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/i.test(place);
}
