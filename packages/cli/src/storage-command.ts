import { byteWords } from '@signalbox/protocol';
import { HubApi, type RetentionLimits, type SweepReport } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';

const HELP = `Usage: signalbox storage [options]
       signalbox storage sweep [--trial]

Shows how much space the hub's data takes and how long it is kept. sweep deletes what is older than
that now; the hub does so every hour by itself. Entries of records are first written to files in
archive/ of $SIGNALBOX_HOME. The limits are "retention" in its config.json.

  --trial            delete nothing, only show what would be trimmed
  --json             print all details as JSON
${HUB_HELP}
  -h, --help         this text

Exit codes: 0 done, 1 failed or still over the limit, 2 wrong command line.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  trial: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const NAMES: Record<string, string> = {
  eventDays: 'entries of records',
  promptDays: 'prompts',
  permissionDays: 'answered questions',
  auditDays: 'the audit log',
  deviceDays: 'devices that were signed out',
  terminalDays: 'terminals that have ended',
};

/** Run `signalbox storage …`. */
export async function runStorage(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('storage', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, ...rest] = positionals;
  if ((word !== undefined && word !== 'sweep') || rest.length > 0)
    throw new CommandOptionsError('storage', 'Say nothing more, or sweep.');
  if (word === undefined && options.trial) throw new CommandOptionsError('storage', '--trial is for sweep.');
  const api = new HubApi(addressOf(await findHub(options)));
  if (word === 'sweep') {
    const report = await api.ask('POST /api/storage/sweep', { body: { trial: options.trial ?? false } });
    process.stdout.write(options.json ? `${JSON.stringify(report, undefined, 2)}\n` : sweepWords(report));
    return report.isOverLimit ? 1 : 0;
  }
  const storage = await api.ask('GET /api/storage');
  const { usedBytes, fileBytes, retention, lastSweep } = storage;
  if (options.json) process.stdout.write(`${JSON.stringify(storage, undefined, 2)}\n`);
  else
    process.stdout.write(
      `${byteWords(usedBytes)} in use${retention.databaseMiB === undefined ? '' : ` of ${retention.databaseMiB} MiB`}, ${byteWords(fileBytes)} on the disk\n${limitWords(retention)}${lastSweep ? `Last sweep, ${new Date(lastSweep.at).toISOString()}:\n${sweepWords(lastSweep)}` : ''}`,
    );
  return lastSweep?.isOverLimit ? 1 : 0;
}

function limitWords(limits: RetentionLimits): string {
  const days = Object.entries(limits).flatMap(([name, value]) =>
    NAMES[name] === undefined ? [] : [`  ${NAMES[name]}: ${String(value)} days\n`],
  );
  return days.length === 0 ? 'Everything is kept for good.\n' : `Kept for:\n${days.join('')}`;
}

function sweepWords({ isTrial, trimmed, forgotten, usedBytes, isOverLimit }: SweepReport): string {
  const verb = isTrial ? 'would be trimmed' : 'trimmed';
  const records = trimmed.map(
    ({ session, from, to, archive }) =>
      `  ${shortId(session)}: entries ${from} to ${to} ${verb}${archive === null ? '' : harmless(`, kept in ${archive}`)}\n`,
  );
  const rows = Object.entries(forgotten).flatMap(([kind, count]) =>
    count > 0 ? [`  ${count} ${kind}\n`] : [],
  );
  const all = [...records, ...rows];
  const over = isOverLimit
    ? `There is nothing more that may go, and ${byteWords(usedBytes)} are in use: raise databaseMiB, or remove sessions with ${commandHere('sessions rm')}.\n`
    : '';
  const nothing = isTrial ? '  nothing would be taken away\n' : '  nothing was taken away\n';
  return `${all.length === 0 ? nothing : all.join('')}${over}`;
}
