import { join } from 'node:path';
import { isJsonObject, type JsonObject, messageOf, parseJson, SignalboxError } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';

/** Something in `config.json`, or in the environment, is no setting, or not what that setting takes. */
export class SettingError extends SignalboxError {
  constructor(where: string, problem: string) {
    super('SETTING_INVALID', `${where}: ${problem}`);
  }
}

/** The options of a command, as `parseArgs` takes them. */
type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly multiple?: boolean }>>;

/** What settings come to: the same as what a command line comes to. */
export type Settings = Readonly<Record<string, string | boolean | string[]>>;

/** What is no flag: the definitions of agents, and what is kept for how long. */
export const AGENTS = 'agents';
export const RETENTION = 'retention';

const YES = ['1', 'true'];
const NO = ['0', 'false', ''];

/**
 * What `config.json` of the home says, and over it what the environment says (`SIGNALBOX_PORT` for `port`). The names are those of
 * the command line. Raises `SETTING_INVALID`.
 */
export function readSettings(home: string, env: NodeJS.ProcessEnv, options: Options): Settings {
  return { ...settingsIn(readConfig(home), options), ...settingsInEnvironment(env, options) };
}

/** What a `config.json` has, and where it is. */
export interface ConfigFile {
  file: string;
  config: JsonObject;
}

/** What `config.json` of the home has; nothing where there is none. Raises `SETTING_INVALID`. */
export function readConfig(home: string): ConfigFile {
  const file = join(home, 'config.json');
  const text = textIn(file);
  const config = text === undefined ? {} : parsed(file, text);
  if (!isJsonObject(config)) throw new SettingError(file, 'it has to be one JSON object.');
  return { file, config };
}

/** The settings of a `config.json` that are flags. Raises `SETTING_INVALID`. */
export function settingsIn({ file, config }: ConfigFile, options: Options): Settings {
  const { [AGENTS]: _, [RETENTION]: __, ...rest } = config;
  const settings = Object.entries(rest).map(([name, value]) => {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) {
      const known = [...Object.keys(options), AGENTS, RETENTION].join(', ');
      throw new SettingError(file, `"${name}" is no setting; these are: ${known}.`);
    }
    return [name, valueOf(file, name, option, value)] as const;
  });
  return Object.fromEntries(settings);
}

/** A list may be one word, and a word a number. */
function valueOf(
  file: string,
  name: string,
  { type, multiple }: Options[string],
  value: unknown,
): string | boolean | string[] {
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw new SettingError(file, `"${name}" takes true or false.`);
  }
  const words = (multiple && Array.isArray(value) ? value : [value]).map((word) => {
    if (typeof word === 'string' || typeof word === 'number') return String(word);
    throw new SettingError(file, `"${name}" takes ${multiple ? 'a list of texts' : 'a text or a number'}.`);
  });
  return multiple ? words : words.join('');
}

/** The settings of the environment. Raises `SETTING_INVALID`. */
export function settingsInEnvironment(env: NodeJS.ProcessEnv, options: Options): Settings {
  const settings: Record<string, string | boolean | string[]> = {};
  for (const [name, { type, multiple }] of Object.entries(options)) {
    const variable = variableFor(name);
    const value = env[variable];
    if (value === undefined) continue;
    if (type === 'string') settings[name] = multiple ? value.split(',') : value;
    else if ([...YES, ...NO].includes(value)) settings[name] = YES.includes(value);
    else throw new SettingError(variable, 'it takes 1 or 0.');
  }
  return settings;
}

/** The variable that a setting may be in. */
export function variableFor(name: string): string {
  return `SIGNALBOX_${name.toUpperCase().replaceAll('-', '_')}`;
}

function textIn(file: string): string | undefined {
  try {
    return readPlainFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new SettingError(file, `it cannot be read: ${messageOf(error)}.`);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new SettingError(file, `it is no JSON: ${messageOf(error)}.`);
  }
}
