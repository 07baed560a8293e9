import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { UsageError } from '../base/agent-errors.ts';
import type { RuleSource } from '../settings/rule-source.ts';
import { contradictionsIn } from './contradictions.ts';
import { Fields } from './fields.ts';
import { NO_ANSWERS, type OwnAnswers, ownAnswers } from './own-answers.ts';
import type { UserEnvironment } from './project-state.ts';
import { policyOfHost, restrictionsOf } from './restrictions.ts';
import { type LoadedSource, PROJECT_FILES, Settings } from './settings.ts';
import { jsonFilesIn, parseSettings, readSettings, type SettingsSource } from './settings-file.ts';
import { readSourceSettings } from './source-settings.ts';
import { isTrusted } from './trust.ts';

/** The machine's policy, written by whoever administers it. No variable and no flag leads elsewhere. */
export const MANAGED_FILE =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';

/** What the command line says about settings. */
export interface SettingsOptions {
  /** JSON, or a file. */
  readonly settings: string | undefined;
  readonly settingSources: readonly ('user' | 'project' | 'local')[];
  /** The sources were named by the host, which thereby vouches for them. */
  readonly namesSettingSources?: boolean;
  /** JSON with restrictions of the host. */
  readonly managedSettings?: string | undefined;
  readonly sandbox?: boolean;
}

/** Where settings are looked for. */
export interface SettingsLocation extends Partial<UserEnvironment> {
  readonly cwd: string;
  /** `$CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. */
  readonly configDir: string;
  readonly managedFile?: string;
}

/** The file that a source is kept in. */
export function settingsFile(source: RuleSource, location: SettingsLocation): string | undefined {
  switch (source) {
    case 'userSettings':
      return join(location.configDir, 'settings.json');
    case 'projectSettings':
      return join(location.cwd, PROJECT_FILES.project);
    case 'localSettings':
      return join(location.cwd, PROJECT_FILES.local);
    default:
      return undefined;
  }
}

/** Read every source, the weakest first. Throws `SettingsError` for one that cannot be used. */
export function loadSettings({
  options,
  onProblem,
  isTrustAsked = false,
  ...location
}: SettingsLocation & {
  options: SettingsOptions;
  onProblem: (problem: string) => void;
  /** A person was asked whether they trust the folder: what it does not get is no news to them. */
  isTrustAsked?: boolean;
}): Settings {
  const { cwd, configDir, managedFile = MANAGED_FILE } = location;
  // A copy: what counts is the environment that started us, not what settings and hosts put into it later.
  const person = { home: location.home ?? homedir(), env: { ...(location.env ?? process.env) } };
  const trust = folderTrust(cwd, person, onProblem);
  const answers = (): OwnAnswers => ofPerson(() => ownAnswers(cwd, person), NO_ANSWERS, onProblem);
  const load = (
    source: SettingsSource,
    file: string,
    root: string,
    raw: Record<string, unknown>,
  ): LoadedSource => {
    const settings = readSourceSettings(new Fields(file, raw), root, person.home);
    return { source, file, root, raw, settings, withheld: [], isTrusted: true };
  };
  const fromFile = (source: SettingsSource, file: string, root: string): LoadedSource =>
    load(source, file, root, readSettings(file));
  const isVouchedFor = (name: 'project' | 'local'): boolean =>
    options.namesSettingSources === true && options.settingSources.includes(name);
  const ofProject = (name: 'project' | 'local'): LoadedSource => {
    const file = join(cwd, PROJECT_FILES[name]);
    const loaded = fromFile(name === 'project' ? 'projectSettings' : 'localSettings', file, cwd);
    const isLoosening = restrictionsOf(loaded.settings).withheld.length > 0;
    if (!isLoosening || isVouchedFor(name) || trust()) return loaded;
    // What stands there because the person answered so is theirs.
    return { ...loaded, ...restrictionsOf(loaded.settings, answers()), isTrusted: false };
  };

  const sources: LoadedSource[] = [];
  const userFile = join(configDir, 'settings.json');
  const reads = (name: 'user' | 'project' | 'local'): boolean => options.settingSources.includes(name);
  if (reads('user')) sources.push(fromFile('userSettings', userFile, configDir));
  // In the home folder the project's file is the user's own: once is enough.
  const isSameFile = realPath(join(cwd, PROJECT_FILES.project)) === realPath(userFile);
  if (reads('project') && !(isSameFile && reads('user'))) sources.push(ofProject('project'));
  if (reads('local')) sources.push(ofProject('local'));
  if (options.settings !== undefined) {
    const raw = parseSettings('--settings', textOf(options.settings));
    sources.push(load('flagSettings', '--settings', cwd, raw));
  }
  if (options.managedSettings !== undefined) {
    const raw = parseSettings('--managed-settings', options.managedSettings);
    const loaded = load('policySettings', '--managed-settings', cwd, raw);
    sources.push({ ...loaded, settings: policyOfHost(loaded.settings) });
  }
  for (const file of [managedFile, ...jsonFilesIn(managedFile.replace(/\.json$/, '.d'))])
    sources.push(fromFile('policySettings', file, dirname(file)));

  const settings = new Settings(sources, {
    isProjectTrusted: () => isVouchedFor('project') || trust(),
    isSandboxAskedFor: options.sandbox === true,
    hasProjectServers: reads('project') && existsSync(join(cwd, '.mcp.json')),
  });
  for (const { file, settings: said } of sources)
    for (const problem of contradictionsIn(said)) onProblem(`${file}: ${problem}.`);
  const line = withheldLine(settings.withheld);
  if (line !== undefined && !isTrustAsked) onProblem(line);
  return settings;
}

/** Looked up when it first matters, and once: the file it is in can be large. */
function folderTrust(
  cwd: string,
  person: UserEnvironment,
  onProblem: (problem: string) => void,
): () => boolean {
  let known: boolean | undefined;
  return () => (known ??= ofPerson(() => isTrusted(cwd, person), false, onProblem));
}

/** What the person's own file says; one that cannot be read says nothing, and the person is told. */
function ofPerson<Value>(read: () => Value, otherwise: Value, onProblem: (problem: string) => void): Value {
  try {
    return read();
  } catch (error) {
    onProblem(messageOf(error));
    return otherwise;
  }
}

/** What an untrusted folder did not get, and what to do about it; nothing if there is nothing. */
function withheldLine(parts: readonly string[]): string | undefined {
  if (parts.length === 0) return undefined;
  return `This folder is not trusted, so it cannot set: ${parts.join('; ')}. If you trust whoever wrote it, run signalbox trust there, or start with SIGNALBOX_TRUST_PROJECT=1.`;
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
