import { databaseAddress } from '@signalbox/hub';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { definitionsIn } from '../up/agent-definitions.ts';
import { retentionIn } from '../up/retention-settings.ts';
import { isPort, SETTINGS } from '../up/up-options.ts';
import {
  AGENTS,
  type ConfigFile,
  RETENTION,
  readConfig,
  SettingError,
  settingsIn,
  settingsInEnvironment,
  variableFor,
} from '../up/up-settings.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'off'];

/** What each limit of retention takes. */
const LIMITS: Record<string, 'number' | 'boolean'> = {
  eventDays: 'number',
  promptDays: 'number',
  permissionDays: 'number',
  auditDays: 'number',
  deviceDays: 'number',
  terminalDays: 'number',
  databaseMiB: 'number',
  archive: 'boolean',
};

/** A setting that is set, and where. */
export interface SetSetting {
  name: string;
  value: unknown;
  from: string;
}

/** All settings that can be set by their names. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(SETTINGS),
  ...Object.keys(LIMITS).map((name) => `${RETENTION}.${name}`),
];

/** What is set, by the environment or by `config.json`. Raises `SETTING_INVALID`. */
export function setSettings(home: string, env: NodeJS.ProcessEnv): SetSetting[] {
  const { file, config } = readConfig(home);
  assertValid({ file, config });
  const inFile = settingsIn({ file, config }, SETTINGS);
  const inEnvironment = settingsInEnvironment(env, SETTINGS);
  const flags = Object.keys(SETTINGS).flatMap((name): SetSetting[] => {
    if (inEnvironment[name] !== undefined)
      return [{ name, value: shownValue(name, inEnvironment[name]), from: variableFor(name) }];
    return inFile[name] === undefined ? [] : [{ name, value: shownValue(name, inFile[name]), from: file }];
  });
  const limits = Object.entries(retentionIn({ file, config })).map(([name, value]) => ({
    name: `${RETENTION}.${name}`,
    value,
    from: file,
  }));
  // What an agent is started with may hold keys: its name says enough.
  const agents = definitionsIn({ file, config }).map(({ name, command }) => ({
    name: `${AGENTS}.${name}`,
    value: command,
    from: file,
  }));
  return [...flags, ...limits, ...agents];
}

/** The address of a database may hold a password. */
function shownValue(name: string, value: unknown): unknown {
  return name === 'database' ? databaseAddress(String(value)).shown : value;
}

/** Raises `SETTING_INVALID` for what `signalbox up` would not start with. */
export function assertValid(file: ConfigFile): void {
  const { port, log } = settingsIn(file, SETTINGS);
  if (port !== undefined && !isPort(String(port)))
    throw new SettingError(file.file, '"port" takes a number from 0 to 65535.');
  if (log !== undefined && !LOG_LEVELS.includes(String(log)))
    throw new SettingError(file.file, `"log" takes ${LOG_LEVELS.join(', ')}.`);
  retentionIn(file);
  definitionsIn(file);
}

/** A value as `config.json` has it; undefined when the words are none for this setting. */
export function valueFor(name: string, words: readonly string[]): unknown {
  const [word = ''] = words;
  const flag = Object.hasOwn(SETTINGS, name) ? flagNamed(name) : undefined;
  const kind = flag?.type ?? LIMITS[name.replace(`${RETENTION}.`, '')];
  if (flag?.multiple) return words;
  if (words.length !== 1) return undefined;
  if (kind === 'boolean') return word === 'true' ? true : word === 'false' ? false : undefined;
  if (kind === 'number') return /^\d+$/.test(word) ? Number(word) : undefined;
  return word;
}

/** The same with one setting changed, or without it. */
export function changed(config: JsonObject, name: string, value: unknown): JsonObject {
  const [first = '', second] = name.split('.');
  const inside = second === undefined ? value : changed(objectIn(config, first), second, value);
  const { [first]: _, ...others } = config;
  const isGone = inside === undefined || (isJsonObject(inside) && Object.keys(inside).length === 0);
  return isGone ? others : { ...config, [first]: inside };
}

function objectIn(config: JsonObject, name: string): JsonObject {
  const value = config[name];
  return isJsonObject(value) ? value : {};
}

function flagNamed(name: string): { type: 'string' | 'boolean'; multiple?: boolean } | undefined {
  return Object.entries<{ type: 'string' | 'boolean'; multiple?: boolean }>(SETTINGS).find(
    ([known]) => known === name,
  )?.[1];
}
