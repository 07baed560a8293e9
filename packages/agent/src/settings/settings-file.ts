import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, messageOf, parseJson, SignalboxError } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';

/** A settings file that is there and cannot be used. */
export class SettingsError extends SignalboxError {
  constructor(file: string, problem: string, cause?: unknown) {
    super('SETTINGS_INVALID', `${file}: ${problem}. Mend or remove it.`, { cause });
  }
}

/** Where a setting comes from, by the names that the protocol has for it. */
export type SettingsSource =
  | 'userSettings'
  | 'projectSettings'
  | 'localSettings'
  | 'flagSettings'
  | 'policySettings';

/** Read a settings file; one that is not there says nothing. Throws {@link SettingsError}. */
export function readSettings(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readPlainFile(file);
  } catch (error) {
    if (isMissing(error)) return {};
    throw new SettingsError(file, `cannot be read: ${messageOf(error)}`, error);
  }
  return parseSettings(file, text);
}

/** Settings from text, for example from `--settings`. Throws {@link SettingsError}. */
export function parseSettings(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new SettingsError(name, `is not JSON: ${messageOf(error)}`, error);
  }
  if (!isJsonObject(value)) throw new SettingsError(name, 'is not a JSON object');
  return value;
}

/** The JSON files of a folder in the order of their names; hidden ones do not count, nor does a missing folder. */
export function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw new SettingsError(folder, `cannot be read: ${messageOf(error)}`, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
