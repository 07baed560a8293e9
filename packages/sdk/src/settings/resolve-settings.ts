import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isJsonObject, parseJson } from '@signalbox/protocol';
import type { SettingSource, Settings } from '../types/options.ts';
import type {
  ProvenanceEntry,
  ResolvedSettings,
  ResolveSettingsOptions,
  SourceOfSettings,
} from '../types/settings.ts';
import { hostPolicy } from './host-policy.ts';
import { mergeSettings } from './merge-settings.ts';
import { usableSettings } from './usable-settings.ts';

const SOURCES: readonly SettingSource[] = ['user', 'project', 'local'];

/** Modes in which an agent does what no rule allows, and the sources that may not ask for them. */
const ESCALATING: Readonly<Record<string, readonly string[]>> = {
  bypassPermissions: ['project', 'local'],
  auto: ['project', 'local'],
  acceptEdits: ['project'],
};

const POLICY_FOLDER =
  process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';

/**
 * The settings that an agent started so would have, and who set each. Files that agents do not use are passed over. It is
 * what is written there: whether an agent obeys a repository that nobody trusts is another matter, see
 * {@link filterEscalatingDefaultMode}.
 */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const wanted = SOURCES.filter((source) => options.settingSources?.includes(source) ?? true);
  const files = await Promise.all(wanted.map((source) => ofFile(source, fileOf(source, cwd))));
  const { policy, didNotLoad } = await policyOf(options);
  const sources = [...files, ...policy].filter(({ settings }) => Object.keys(settings).length > 0);
  const provenance: Record<string, ProvenanceEntry> = {};
  for (const { settings, ...entry } of sources)
    for (const key of Object.keys(settings)) provenance[key] = entry;
  return {
    effective: sources.reduce<Settings>((all, { settings }) => mergeSettings(all, settings), {}),
    provenance,
    sources,
    machinePolicy: { didNotLoad },
  };
}

/** The settings without a mode that gives an agent more freedom, where a repository's file asks for it. */
export function filterEscalatingDefaultMode({ effective, sources }: ResolvedSettings): Settings {
  const { permissions } = effective;
  if (!isJsonObject(permissions)) return effective;
  const { defaultMode, ...others } = permissions;
  const by = sources.findLast(({ settings }) => modeIn(settings) !== undefined)?.source ?? '';
  const isEscalating = typeof defaultMode === 'string' && ESCALATING[defaultMode]?.includes(by);
  return isEscalating ? { ...effective, permissions: others } : effective;
}

function modeIn({ permissions }: Settings): unknown {
  return isJsonObject(permissions) ? permissions['defaultMode'] : undefined;
}

function fileOf(source: SettingSource, cwd: string): string {
  const ofPerson = process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude');
  if (source === 'user') return join(ofPerson, 'settings.json');
  return join(cwd, '.claude', source === 'project' ? 'settings.json' : 'settings.local.json');
}

async function ofFile(source: SettingSource, path: string): Promise<SourceOfSettings> {
  return { source, path, settings: (await read(path)) ?? {} };
}

/** The first policy that says something holds alone: the server's, then the machine's, then the host's. */
async function policyOf({
  serverManagedSettings: ofServer = {},
  managedSettings: ofHost = {},
}: ResolveSettingsOptions): Promise<{ policy: SourceOfSettings[]; didNotLoad: false | ['file'] }> {
  const folder = join(POLICY_FOLDER, 'managed-settings.d');
  const more = await readdir(folder).catch(() => []);
  const names = more.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
  const paths = [join(POLICY_FOLDER, 'managed-settings.json'), ...names.map((name) => join(folder, name))];
  const parts = await Promise.all(paths.map(read));
  const ofMachine = parts.reduce<Settings>((all, part) => mergeSettings(all, part ?? {}), {});
  const policies: SourceOfSettings[] = [
    { source: 'managed', policyOrigin: 'remote', settings: usableSettings(ofServer) ?? {} },
    { source: 'managed', policyOrigin: 'file', settings: ofMachine },
    { source: 'managed', policyOrigin: 'parent', settings: usableSettings(hostPolicy(ofHost)) ?? {} },
  ];
  const first = policies.find(({ settings }) => Object.keys(settings).length > 0);
  return { policy: first ? [first] : [], didNotLoad: parts.includes(null) ? ['file'] : false };
}

/** What a file says: nothing when it is not there, null when it is of no use. */
async function read(path: string): Promise<Settings | undefined | null> {
  try {
    return usableSettings(parseJson((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))) ?? null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : null;
  }
}
