import { NO_ANSWERS, type OwnAnswers, plainRuleText } from './own-answers.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { NO_SETTINGS, type SourceSettings } from './source-settings.ts';

/** What is left of a source that may only restrict, and the names of the settings that were left out. */
export interface Restricted {
  readonly settings: SourceSettings;
  readonly withheld: readonly string[];
}

/**
 * What may be taken from someone who is not trusted: what forbids, and looks. `disableAllHooks` is not among it:
 * hooks may be a person's guards. What the person answered themselves holds.
 */
export function restrictionsOf(all: SourceSettings, answers: OwnAnswers = NO_ANSWERS): Restricted {
  const { deny, ask, disableBypass, model, effortLevel, outputStyle } = all;
  const isModest = all.defaultMode === 'plan' || all.defaultMode === 'default';
  const allow = all.allow.filter((rule) => answers.allow.includes(plainRuleText(rule)));
  const directories = all.directories.filter((folder) => answers.directories.includes(folder));
  const sandbox = sandboxRestrictions(all.sandbox);
  return {
    settings: {
      ...NO_SETTINGS,
      allow,
      directories,
      deny,
      ask,
      disableBypass,
      defaultMode: isModest ? all.defaultMode : undefined,
      model,
      effortLevel,
      outputStyle,
      enableAllProjectMcpServers: all.enableAllProjectMcpServers === false ? false : undefined,
      disabledMcpjsonServers: all.disabledMcpjsonServers,
      deniedMcpServers: all.deniedMcpServers,
      sandbox: sandbox.settings,
    },
    withheld: [
      ...named({
        'permissions.allow': all.allow.length > allow.length,
        'permissions.additionalDirectories': all.directories.length > directories.length,
        'permissions.defaultMode': all.defaultMode !== undefined && !isModest,
        hooks: all.hooks !== undefined,
        disableAllHooks: all.disableAllHooks === true,
        statusLine: all.statusLine !== undefined,
        env: Object.keys(all.env).length > 0,
        apiKeyHelper: all.apiKeyHelper !== undefined,
        enableAllProjectMcpServers: all.enableAllProjectMcpServers === true,
        enabledMcpjsonServers: all.enabledMcpjsonServers.length > 0,
      }),
      ...sandbox.withheld,
    ],
  };
}

/** What a host may add to the policy of the machine: restrictions, and no looks. */
export function policyOfHost(all: SourceSettings): SourceSettings {
  return {
    ...restrictionsOf(all).settings,
    defaultMode: undefined,
    model: undefined,
    effortLevel: undefined,
    outputStyle: undefined,
    allowedMcpServers: all.allowedMcpServers,
    // The machine's own hooks are not the host's to stop.
    allowManagedHooksOnly: all.allowManagedHooksOnly || all.disableAllHooks === true,
    allowManagedPermissionRulesOnly: all.allowManagedPermissionRulesOnly,
  };
}

function sandboxRestrictions(all: SandboxSettings): { settings: SandboxSettings; withheld: string[] } {
  const { enabled, autoAllowBashIfSandboxed, allowUnsandboxedCommands } = all;
  return {
    settings: {
      ...NO_SETTINGS.sandbox,
      enabled: enabled === true ? true : undefined,
      autoAllowBashIfSandboxed: autoAllowBashIfSandboxed === false ? false : undefined,
      allowUnsandboxedCommands: allowUnsandboxedCommands === false ? false : undefined,
      deniedDomains: all.deniedDomains,
      denyWrite: all.denyWrite,
      denyRead: all.denyRead,
    },
    withheld: named({
      'sandbox.enabled': enabled === false,
      'sandbox.autoAllowBashIfSandboxed': autoAllowBashIfSandboxed === true,
      'sandbox.excludedCommands': all.excludedCommands.length > 0,
      'sandbox.network.allowedDomains': all.allowedDomains.length > 0,
      'sandbox.network.allowUnixSockets': all.allowUnixSockets.length > 0,
      'sandbox.filesystem.allowWrite': all.allowWrite.length > 0,
      'sandbox.filesystem.allowRead': all.allowRead.length > 0,
    }),
  };
}

function named(names: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(names).filter((name) => names[name]);
}
