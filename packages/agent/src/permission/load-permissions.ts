import { homedir } from 'node:os';
import { join } from 'node:path';
import { realPath } from '@signalbox/transport/real-path';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { keepPermissions, type PermissionTexts, permissionTexts } from '../settings/keep-permissions.ts';
import { loadSettings, type SettingsLocation, settingsFile } from '../settings/load-settings.ts';
import { keepOwnAnswers, type OwnAnswers } from '../settings/own-answers.ts';
import type { RuleSource } from '../settings/rule-source.ts';
import type { Settings } from '../settings/settings.ts';
import { isNotedAsTrusted } from '../settings/trust.ts';
import type { ModeRefusal } from './mode-error.ts';
import { PermissionStore } from './permission-store.ts';
import { readableRules } from './readable-rules.ts';

export function configDir(env: NodeJS.ProcessEnv, home: string): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** The permissions that hold at the start: from the settings and the command line. */
export function loadPermissions(
  options: AgentOptions,
  location: SettingsLocation & { onProblem: (problem: string) => void },
  settings: Settings = loadSettings({ ...location, options }),
): PermissionStore {
  const known = new Map<RuleSource, PermissionTexts>();
  const person = { home: location.home ?? homedir(), env: { ...(location.env ?? process.env) } };
  const store = new PermissionStore({
    mode: options.permissionMode ?? settings.defaultMode ?? 'default',
    bypassRefusal: bypassRefusal(options, settings),
    onProblem: location.onProblem,
    roots: {
      userSettings: location.configDir,
      projectSettings: realPath(location.cwd),
      localSettings: realPath(location.cwd),
    },
    keep: async (destination, entry) => {
      const file = settingsFile(destination, location);
      if (file === undefined) return;
      const now = permissionTexts(entry);
      const before = known.get(destination) ?? NOTHING;
      keepPermissions(file, before, now);
      known.set(destination, now);
      const isOfFolder = destination === 'localSettings' || destination === 'projectSettings';
      if (isOfFolder && !isNotedAsTrusted(location.cwd, person))
        await keepOwnAnswers(location.cwd, person, answersIn(before), answersIn(now));
    },
  });
  for (const { source, file, directories, ...rules } of settings.permissionSources()) {
    const { allow, deny, ask, strict } = readableRules(file, rules, location.onProblem);
    store.load(source, { allow, deny, ask, directories });
    store.load('unreadableRules', strict);
    known.set(source, { allow, deny, ask, additionalDirectories: directories });
  }
  store.load('cliArg', {
    allow: settings.onlyManagedRules ? [] : options.allowedTools,
    deny: options.disallowedTools,
    directories: options.additionalDirectories,
  });
  return store;
}

function answersIn({ allow, additionalDirectories }: PermissionTexts): OwnAnswers {
  return { allow, directories: additionalDirectories };
}

const NOTHING: PermissionTexts = { allow: [], deny: [], ask: [], additionalDirectories: [] };

/** To start in the mode is to launch with it. */
function bypassRefusal(options: AgentOptions, settings: Settings): ModeRefusal | undefined {
  if (!settings.mayBypass) return 'bypass_disabled';
  const isLaunched = options.mayBypass || options.permissionMode === 'bypassPermissions';
  return isLaunched ? undefined : 'bypass_not_launched';
}
