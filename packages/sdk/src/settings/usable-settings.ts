import { isJsonObject } from '@signalbox/protocol';
import type { Settings } from '../types/options.ts';
import type { PermissionMode } from '../types/permissions.ts';

/** What the best known settings must be. A source in which one is something else does not count at all. */
const TYPES: Record<string, 'string' | 'boolean' | 'number' | 'object'> = {
  $schema: 'string',
  apiKeyHelper: 'string',
  model: 'string',
  outputStyle: 'string',
  language: 'string',
  effortLevel: 'string',
  cleanupPeriodDays: 'number',
  alwaysThinkingEnabled: 'boolean',
  allowManagedHooksOnly: 'boolean',
  allowManagedMcpServersOnly: 'boolean',
  allowManagedPermissionRulesOnly: 'boolean',
  disableAllHooks: 'boolean',
  enableAllProjectMcpServers: 'boolean',
  includeCoAuthoredBy: 'boolean',
  enabledPlugins: 'object',
  env: 'object',
  permissions: 'object',
  sandbox: 'object',
  statusLine: 'object',
};

/** A list of its own: the schema of the wire would load a library with it. */
const MODES = new Set<string>([
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
  'auto',
] satisfies PermissionMode[]);

const RULE_LISTS = ['allow', 'ask', 'deny'];
const RULE = /^(?:[A-Z]\w*|mcp__\S+?)(?:\(.+\))?$/s;

/** The settings of a source as agents use them; undefined for what they would not use. */
export function usableSettings(raw: unknown): Settings | undefined {
  if (!isJsonObject(raw)) return undefined;
  for (const [key, value] of Object.entries(raw)) {
    const type = TYPES[key];
    const fits = type === 'object' ? isJsonObject(value) : typeof value === type;
    if (type !== undefined && !fits) return undefined;
  }
  const permissions = isJsonObject(raw['permissions']) ? usablePermissions(raw['permissions']) : {};
  if (!permissions) return undefined;
  return {
    ...raw,
    ...(isJsonObject(raw['permissions']) ? { permissions } : {}),
    ...(isJsonObject(raw['env']) ? { env: asTexts(raw['env']) } : {}),
  };
}

function usablePermissions(raw: Settings): Settings | undefined {
  const mode = raw['defaultMode'] === 'manual' ? 'default' : raw['defaultMode'];
  if (mode !== undefined && !(typeof mode === 'string' && MODES.has(mode))) return undefined;
  const lists = RULE_LISTS.flatMap((name) => {
    const rules = raw[name];
    return Array.isArray(rules) ? [[name, rules.filter(isRule)] as const] : [];
  });
  return { ...raw, ...(mode === undefined ? {} : { defaultMode: mode }), ...Object.fromEntries(lists) };
}

function isRule(rule: unknown): boolean {
  return typeof rule === 'string' && RULE.test(rule);
}

function asTexts(values: Settings): Settings {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
