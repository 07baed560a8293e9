import { isJsonObject } from '@signalbox/protocol';
import type { Settings } from '../types/options.ts';

/** What a host may add to the policy: names, or for an object the names in it. */
interface Restrictions {
  [name: string]: true | Restrictions;
}

const RESTRICTIONS: Restrictions = {
  allowManagedHooksOnly: true,
  allowManagedMcpServersOnly: true,
  allowManagedPermissionRulesOnly: true,
  disableAutoMode: true,
  strictPluginOnlyCustomization: true,
  strictKnownMarketplaces: true,
  forceLoginOrgUUID: true,
  allowedMcpServers: true,
  deniedMcpServers: true,
  availableModels: true,
  deniedModels: true,
  permissions: {
    allow: true,
    ask: true,
    deny: true,
    additionalDirectories: true,
    disableAutoMode: true,
    disableBypassPermissionsMode: true,
  },
  sandbox: {
    enabled: true,
    failIfUnavailable: true,
    allowUnsandboxedCommands: true,
    network: { allowedDomains: true, deniedDomains: true, allowManagedDomainsOnly: true },
    filesystem: { denyRead: true, denyWrite: true, allowRead: true, allowManagedReadPathsOnly: true },
  },
};

/** What holds of the settings that a host gives as its policy. */
export function hostPolicy(settings: Settings, allowed: Restrictions = RESTRICTIONS): Settings {
  const kept = Object.entries(settings).flatMap(([name, value]) => {
    const inner = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (inner === undefined) return [];
    if (inner === true) return [[name, value] as const];
    const part = isJsonObject(value) ? hostPolicy(value, inner) : {};
    return Object.keys(part).length > 0 ? [[name, part] as const] : [];
  });
  return Object.fromEntries(kept);
}
