import { isPermissionMode, type PermissionMode } from '@signalbox/protocol';
import { EFFORTS, type Effort } from '../base/efforts.ts';
import type { Fields } from './fields.ts';
import { noSandboxSettings, readSandboxSettings, type SandboxSettings } from './sandbox-settings.ts';

/** What a policy says about an MCP server: its name, the command that starts it, or its address. */
export type ServerPattern =
  | { readonly serverName: string }
  | { readonly serverCommand: readonly string[] }
  | { readonly serverUrl: string };

/** A command whose output stands below the prompt of a chat. */
export interface StatusLineSetting {
  readonly command: string;
  /** Columns that it is indented by. */
  readonly padding: number;
}

/** The settings of one source, checked. What is undefined is left to the other sources. */
export interface SourceSettings {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly directories: readonly string[];
  readonly defaultMode: PermissionMode | undefined;
  readonly disableBypass: boolean;
  /** In whatever shape: hooks are checked where they are run. */
  readonly hooks: unknown;
  readonly disableAllHooks: boolean | undefined;
  readonly statusLine: StatusLineSetting | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly effortLevel: Effort | undefined;
  readonly outputStyle: string | undefined;
  readonly apiKeyHelper: string | undefined;
  readonly enableAllProjectMcpServers: boolean | undefined;
  readonly enabledMcpjsonServers: readonly string[];
  readonly disabledMcpjsonServers: readonly string[];
  readonly allowedMcpServers: readonly ServerPattern[] | undefined;
  readonly deniedMcpServers: readonly ServerPattern[];
  readonly allowManagedHooksOnly: boolean;
  readonly allowManagedPermissionRulesOnly: boolean;
  readonly sandbox: SandboxSettings;
}

/** A source that says nothing. */
export const NO_SETTINGS: SourceSettings = {
  allow: [],
  deny: [],
  ask: [],
  directories: [],
  defaultMode: undefined,
  disableBypass: false,
  hooks: undefined,
  disableAllHooks: undefined,
  statusLine: undefined,
  env: {},
  model: undefined,
  effortLevel: undefined,
  outputStyle: undefined,
  apiKeyHelper: undefined,
  enableAllProjectMcpServers: undefined,
  enabledMcpjsonServers: [],
  disabledMcpjsonServers: [],
  allowedMcpServers: undefined,
  deniedMcpServers: [],
  allowManagedHooksOnly: false,
  allowManagedPermissionRulesOnly: false,
  sandbox: noSandboxSettings(),
};

/** Check a source's settings; unknown ones are not looked at. Paths are meant from `root`. */
export function readSourceSettings(fields: Fields, root: string, home: string): SourceSettings {
  const permissions = fields.object('permissions');
  return {
    allow: permissions.texts('allow'),
    deny: permissions.texts('deny'),
    ask: permissions.texts('ask'),
    directories: permissions.texts('additionalDirectories'),
    defaultMode: modeOf(permissions),
    disableBypass: permissions.text('disableBypassPermissionsMode') === 'disable',
    hooks: fields.any('hooks'),
    disableAllHooks: fields.flag('disableAllHooks'),
    statusLine: statusLineOf(fields),
    env: variables(fields.object('env')),
    model: fields.text('model'),
    // A level that only newer agents know is left to the model.
    effortLevel: EFFORTS.find((level) => level === fields.text('effortLevel')),
    outputStyle: fields.text('outputStyle'),
    apiKeyHelper: fields.text('apiKeyHelper'),
    enableAllProjectMcpServers: fields.flag('enableAllProjectMcpServers'),
    enabledMcpjsonServers: fields.texts('enabledMcpjsonServers'),
    disabledMcpjsonServers: fields.texts('disabledMcpjsonServers'),
    allowedMcpServers: serverPatterns(fields, 'allowedMcpServers'),
    deniedMcpServers: serverPatterns(fields, 'deniedMcpServers') ?? [],
    allowManagedHooksOnly: fields.flag('allowManagedHooksOnly') ?? false,
    allowManagedPermissionRulesOnly: fields.flag('allowManagedPermissionRulesOnly') ?? false,
    sandbox: readSandboxSettings(fields.object('sandbox'), root, home),
  };
}

function modeOf(permissions: Fields): PermissionMode | undefined {
  const mode = permissions.text('defaultMode');
  if (mode === undefined || isPermissionMode(mode)) return mode;
  throw permissions.problem('defaultMode', 'is no permission mode');
}

function statusLineOf(fields: Fields): StatusLineSetting | undefined {
  if (fields.any('statusLine') === undefined) return undefined;
  const statusLine = fields.object('statusLine');
  if (statusLine.text('type') !== 'command') throw statusLine.problem('type', 'is not "command"');
  const command = statusLine.text('command') ?? '';
  if (command.trim() === '') throw statusLine.problem('command', 'is missing');
  const padding = statusLine.number('padding') ?? 0;
  if (!Number.isInteger(padding) || padding < 0)
    throw statusLine.problem('padding', 'is no number of columns');
  return { command, padding };
}

function variables(env: Fields): Record<string, string> {
  return Object.fromEntries(
    env.keys().flatMap((name) => {
      const value = env.any(name);
      if (value === undefined) return [];
      const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (!isText) throw env.problem(name, 'is not a text');
      return [[name, String(value)]];
    }),
  );
}

function serverPatterns(fields: Fields, key: string): ServerPattern[] | undefined {
  return fields.objects(key)?.map((entry): ServerPattern => {
    const serverName = entry.text('serverName');
    if (serverName !== undefined) return { serverName };
    const serverUrl = entry.text('serverUrl');
    if (serverUrl !== undefined) return { serverUrl };
    const serverCommand = entry.texts('serverCommand');
    if (serverCommand.length > 0) return { serverCommand };
    // Skipped, it would leave a server allowed that was meant to be denied.
    throw fields.problem(key, 'has an entry without serverName, serverCommand or serverUrl');
  });
}
