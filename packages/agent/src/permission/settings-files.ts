import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  formatRule,
  isPermissionMode,
  messageOf,
  type PermissionMode,
  SignalboxError,
} from '@signalbox/protocol';
import type { PermissionEntry, RuleSource } from './permission-store.ts';

/** A settings file that is there and cannot be used. */
export class SettingsError extends SignalboxError {
  constructor(file: string, problem: string, cause?: unknown) {
    super('SETTINGS_INVALID', `${file}: ${problem}. Mend or remove it.`, { cause });
  }
}

/** What a settings file says about permissions. */
export interface PermissionSettings {
  allow: string[];
  deny: string[];
  ask: string[];
  directories: string[];
  defaultMode: PermissionMode | undefined;
}

/** The file of a source. */
export function settingsFile(
  source: RuleSource,
  place: { cwd: string; configDir: string },
): string | undefined {
  switch (source) {
    case 'userSettings':
      return join(place.configDir, 'settings.json');
    case 'projectSettings':
      return join(place.cwd, '.claude', 'settings.json');
    case 'localSettings':
      return join(place.cwd, '.claude', 'settings.local.json');
    default:
      return undefined;
  }
}

/** Read a settings file; one that is not there says nothing. Throws {@link SettingsError}. */
export function readSettings(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new SettingsError(file, `cannot be read: ${messageOf(error)}`, error);
  }
  return parseSettings(file, text);
}

/** Settings from text, for example from `--settings`. */
export function parseSettings(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(name, `is not JSON: ${messageOf(error)}`, error);
  }
  if (!isObject(value)) throw new SettingsError(name, 'is not a JSON object');
  return value;
}

/** The `permissions` of settings. Throws {@link SettingsError} when they have the wrong shape. */
export function permissionSettings(name: string, settings: Record<string, unknown>): PermissionSettings {
  const permissions = settings.permissions ?? {};
  if (!isObject(permissions)) throw new SettingsError(name, '"permissions" is not an object');
  const texts = (key: string): string[] => {
    const list = permissions[key] ?? [];
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
    throw new SettingsError(name, `"permissions.${key}" is not a list of texts`);
  };
  const { defaultMode } = permissions;
  if (defaultMode !== undefined && (typeof defaultMode !== 'string' || !isPermissionMode(defaultMode))) {
    throw new SettingsError(name, `"permissions.defaultMode" is no permission mode`);
  }
  return {
    allow: texts('allow'),
    deny: texts('deny'),
    ask: texts('ask'),
    directories: texts('additionalDirectories'),
    defaultMode,
  };
}

/** Keep rules and folders in a settings file; everything else in it stays as it is. */
export function writePermissions(file: string, entry: Readonly<PermissionEntry>): void {
  const settings = readSettings(file);
  const before = isObject(settings.permissions) ? settings.permissions : {};
  const rules = (list: readonly Parameters<typeof formatRule>[0][]): string[] => list.map(formatRule);
  const permissions = {
    ...before,
    allow: rules(entry.allow),
    deny: rules(entry.deny),
    ask: rules(entry.ask),
    additionalDirectories: entry.directories,
  };
  mkdirSync(dirname(file), { recursive: true });
  // A crash in the middle leaves the old settings, never half of the new.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ ...settings, permissions }, null, 2)}\n`);
  renameSync(draft, file);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
