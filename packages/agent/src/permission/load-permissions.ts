import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@signalbox/protocol';
import { UsageError } from '../agent-errors.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { realPath } from './call-paths.ts';
import { PermissionStore, type RuleSource } from './permission-store.ts';
import {
  type PermissionSettings,
  parseSettings,
  permissionSettings,
  readSettings,
  settingsFile,
  writePermissions,
} from './settings-files.ts';

const SOURCES = { user: 'userSettings', project: 'projectSettings', local: 'localSettings' } as const;

/** Where settings are looked for. */
export interface SettingsPlace {
  cwd: string;
  /** `$CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. */
  configDir: string;
}

export function configDir(env: NodeJS.ProcessEnv, home: string): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** The permissions that hold at the start: from settings files, `--settings` and the command line. */
export function loadPermissions(options: AgentOptions, place: SettingsPlace): PermissionStore {
  const settings = new Map<RuleSource, PermissionSettings>();
  for (const name of options.settingSources) {
    const source = SOURCES[name];
    const file = settingsFile(source, place);
    if (file !== undefined) settings.set(source, permissionSettings(file, readSettings(file)));
  }
  if (options.settings !== undefined) {
    settings.set(
      'flagSettings',
      permissionSettings('--settings', parseSettings('--settings', textOf(options.settings))),
    );
  }
  const store = new PermissionStore({
    // A mode from a file must not switch permissions off: only a person's own command line may.
    mode:
      options.permissionMode ??
      safeMode([...settings.values()].findLast(({ defaultMode }) => defaultMode)?.defaultMode),
    roots: {
      userSettings: place.configDir,
      projectSettings: realPath(place.cwd),
      localSettings: realPath(place.cwd),
    },
    keep: async (destination, entry) => {
      const file = settingsFile(destination, place);
      if (file !== undefined) writePermissions(file, entry);
    },
  });
  for (const [source, texts] of settings) store.load(source, texts);
  store.load('cliArg', {
    allow: options.allowedTools,
    deny: options.disallowedTools,
    directories: options.additionalDirectories,
  });
  return store;
}

function safeMode(mode: PermissionSettings['defaultMode']): NonNullable<PermissionSettings['defaultMode']> {
  return mode === undefined || mode === 'bypassPermissions' ? 'default' : mode;
}

/** `--settings` is JSON, or the path of a file that holds it. */
function textOf(settings: string): string {
  if (settings.trimStart().startsWith('{')) return settings;
  try {
    return readFileSync(settings, 'utf8');
  } catch (error) {
    throw new UsageError(`--settings cannot be read: ${messageOf(error)}.`);
  }
}
