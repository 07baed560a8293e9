import { signalboxHome } from '@signalbox/hub/bridge';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { assertValid, changed, SETTING_NAMES, setSettings, valueFor } from './config/known-settings.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { fittedTable } from './text-table.ts';
import { readConfig } from './up/up-settings.ts';
import { writeConfig } from './up/write-config.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox config [--json]
       signalbox config get <name>
       signalbox config set <name> <value…>
       signalbox config unset <name>

Shows and changes the settings of signalbox up: what is set and where. Flags take precedence over the
environment, and that over config.json in $SIGNALBOX_HOME, which set and unset change. A value that
signalbox up would refuse is not written.

  --names      list all names that can be set, one per line
  --json       print values and where they come from as JSON
  -h, --help   this text

Exit codes: 0 done, 1 nothing to get or a refused value, 2 wrong command line.
`;

const OPTIONS = {
  names: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const COLUMNS = ['SETTING', 'VALUE', 'FROM'] as const;

/** Run `signalbox config …`. */
export async function runConfig(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('config', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  if (options.names) {
    process.stdout.write(`${SETTING_NAMES.join('\n')}\n`);
    return 0;
  }
  const [act = 'list', name, ...words] = positionals;
  const home = signalboxHome();
  switch (act) {
    case 'list':
      return list(home, name, options.json ?? false);
    case 'get':
      return get(home, known(name, words, 0), options.json ?? false);
    case 'set': {
      const setting = known(name, words, 1);
      const value = valueFor(setting, words);
      if (value === undefined)
        throw new CommandOptionsError('config', `${words.join(' ')} is no value for ${setting}.`);
      return change(home, setting, value);
    }
    case 'unset':
      return change(home, known(name, words, 0), undefined);
    default:
      throw new CommandOptionsError('config', 'Say list, get, set or unset.');
  }
}

function known(name: string | undefined, words: readonly string[], least: 0 | 1): string {
  if (name === undefined || words.length < least || (least === 0 && words.length > 0))
    throw new CommandOptionsError(
      'config',
      `Say the name of a setting${least === 0 ? '' : ' and its value'}.`,
    );
  if (SETTING_NAMES.includes(name)) return name;
  throw new CommandOptionsError('config', `${name} is no setting that can be set here; --names lists them.`);
}

function list(home: string, extra: string | undefined, asJson: boolean): number {
  if (extra !== undefined) throw new CommandOptionsError('config', 'list takes no name; get does.');
  const settings = setSettings(home, process.env);
  if (asJson) process.stdout.write(`${JSON.stringify(settings, undefined, 2)}\n`);
  else if (settings.length === 0) process.stdout.write('Nothing is set. --names lists what can be.\n');
  else {
    const rows = settings.map(({ name, value, from }) => ({
      SETTING: name,
      VALUE: shown(value),
      FROM: from,
    }));
    const shape = {
      columns: COLUMNS,
      leftOut: ['FROM'] as const,
      cut: { column: 'VALUE', least: 10, most: 60 },
    } as const;
    process.stdout.write(`${fittedTable(shape, rows, roomOf(process.stdout))}\n`);
  }
  return 0;
}

function get(home: string, name: string, asJson: boolean): number {
  const found = setSettings(home, process.env).find((setting) => setting.name === name);
  if (!found) {
    process.stderr.write(`signalbox config: ${name} is not set.\n`);
    return 1;
  }
  process.stdout.write(asJson ? `${JSON.stringify(found)}\n` : `${shown(found.value)}\n`);
  return 0;
}

function change(home: string, name: string, value: unknown): number {
  const { file, config } = readConfig(home);
  const next = changed(config, name, value);
  assertValid({ file, config: next });
  writeConfig({ file, config: next });
  // Retention is read again by itself.
  if (!name.includes('.'))
    process.stderr.write(`A running hub takes it up after ${commandHere('up --replace')}.\n`);
  return 0;
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value);
}
