import type { PermissionMode } from '@signalbox/protocol';
import type { Effort } from '../base/efforts.ts';
import { describeSettings, type SettingsDescription } from './describe-settings.ts';
import { isServerListed, type McpServerFacts } from './mcp-policy.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';
import { sandboxPolicy } from './sandbox-settings.ts';
import type { SettingsSource } from './settings-file.ts';
import type { SourceSettings, StatusLineSetting } from './source-settings.ts';

/** A folder's settings files, relative to it. */
export const PROJECT_FILES = {
  project: '.claude/settings.json',
  local: '.claude/settings.local.json',
} as const;

/** A source with what may be taken from it. */
export interface LoadedSource {
  readonly source: SettingsSource;
  /** The file, or the flag. */
  readonly file: string;
  /** What a path in it is meant from. */
  readonly root: string;
  /** As it stands there. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly settings: SourceSettings;
  readonly isTrusted: boolean;
  /** The names of what was left out. */
  readonly withheld: readonly string[];
}

/** The rules and folders of one source. */
export interface PermissionSource extends Pick<SourceSettings, 'allow' | 'deny' | 'ask' | 'directories'> {
  readonly source: SettingsSource;
  readonly file: string;
}

/** The hooks of one source, in whatever shape they stand there. */
export interface HookSource {
  readonly source: SettingsSource;
  readonly file: string;
  readonly hooks: unknown;
}

/** The later the more it keeps an agent from doing. */
const MODES_BY_STRICTNESS: readonly PermissionMode[] = ['acceptEdits', 'default', 'plan', 'dontAsk'];

/** The settings of all sources together. Of a project that is not trusted they hold only what restricts. */
export class Settings {
  /** The weakest first. */
  readonly sources: readonly LoadedSource[];
  readonly #isProjectTrusted: () => boolean;
  readonly #isSandboxAskedFor: boolean;
  readonly #hasProjectServers: boolean;

  constructor(
    sources: readonly LoadedSource[],
    facts: { isProjectTrusted: () => boolean; isSandboxAskedFor: boolean; hasProjectServers: boolean },
  ) {
    this.sources = sources;
    this.#isProjectTrusted = facts.isProjectTrusted;
    this.#isSandboxAskedFor = facts.isSandboxAskedFor;
    this.#hasProjectServers = facts.hasProjectServers;
  }

  get model(): string | undefined {
    return this.#last('model');
  }

  get effortLevel(): Effort | undefined {
    return this.#last('effortLevel');
  }

  get outputStyle(): string | undefined {
    return this.#last('outputStyle');
  }

  /** A command that prints the key for the API. */
  get apiKeyHelper(): string | undefined {
    return this.#last('apiKeyHelper');
  }

  /** Variables for the agent and what it starts. */
  get env(): Readonly<Record<string, string>> {
    return Object.assign({}, ...this.sources.map(({ settings }) => settings.env));
  }

  /** The mode to start in. A file cannot switch permissions off; only a command line may. */
  get defaultMode(): PermissionMode | undefined {
    let mode: PermissionMode | undefined;
    for (const { settings, isTrusted } of this.sources) {
      const wanted = settings.defaultMode === 'bypassPermissions' ? 'default' : settings.defaultMode;
      if (wanted === undefined) continue;
      if (isTrusted || strictness(wanted) > strictness(mode ?? 'default')) mode = wanted;
    }
    return mode;
  }

  /** Whether `bypassPermissions` may be used at all. */
  get mayBypass(): boolean {
    return !this.sources.some(({ settings }) => settings.disableBypass);
  }

  /** Only the machine's policy may give rules: neither files nor `--allowedTools`. */
  get onlyManagedRules(): boolean {
    return this.#managed.some(({ settings }) => settings.allowManagedPermissionRulesOnly);
  }

  /** Only hooks of the machine's policy may run: neither those of files nor those of a host. */
  get onlyManagedHooks(): boolean {
    return this.#managed.some(({ settings }) => settings.allowManagedHooksOnly);
  }

  permissionSources(): PermissionSource[] {
    return (this.onlyManagedRules ? this.#managed : this.sources).map(({ source, file, settings }) => {
      const { allow, deny, ask, directories } = settings;
      return { source, file, allow, deny, ask, directories };
    });
  }

  hookSources(): HookSource[] {
    return this.#sourcesOfCommands
      .filter(({ settings }) => settings.hooks !== undefined)
      .map(({ source, file, settings }) => ({ source, file, hooks: settings.hooks }));
  }

  /** The command that tells what stands below the prompt of a chat; it is run under the rules of hooks. */
  get statusLine(): StatusLineSetting | undefined {
    return this.#sourcesOfCommands.findLast(({ settings }) => settings.statusLine)?.settings.statusLine;
  }

  get isProjectTrusted(): boolean {
    return this.#isProjectTrusted();
  }

  /** What an untrusted folder asked for and did not get, with the files that it stands in. */
  get withheld(): string[] {
    const parts = this.sources
      .filter(({ withheld }) => withheld.length > 0)
      .map(({ source, withheld }) => {
        const file = source === 'projectSettings' ? PROJECT_FILES.project : PROJECT_FILES.local;
        return `${withheld.join(', ')} (${file})`;
      });
    const lacksServers = this.#hasProjectServers && !this.approvesAllProjectServers;
    return lacksServers ? [...parts, 'the servers of .mcp.json'] : parts;
  }

  /** Servers of `.mcp.json` that nobody has named are approved. */
  get approvesAllProjectServers(): boolean {
    return this.#last('enableAllProjectMcpServers') ?? this.isProjectTrusted;
  }

  /** Whether a server of the project's `.mcp.json` may be started. */
  mayStartProjectServer(name: string): boolean {
    if (this.sources.some(({ settings }) => settings.disabledMcpjsonServers.includes(name))) return false;
    const isNamed = this.sources.some(({ settings }) => settings.enabledMcpjsonServers.includes(name));
    return isNamed || this.approvesAllProjectServers;
  }

  /** Whether the machine's policy lets a server be used, wherever it was configured. */
  mayUseServer(server: McpServerFacts): boolean {
    if (this.sources.some(({ settings }) => isServerListed(server, settings.deniedMcpServers, 'deny')))
      return false;
    if (server.isInHost) return true;
    const lists = this.#managed.flatMap(({ settings }) => settings.allowedMcpServers ?? []);
    const isLimited = this.#managed.some(({ settings }) => settings.allowedMcpServers !== undefined);
    return !isLimited || isServerListed(server, lists, 'allow');
  }

  get sandbox(): SandboxPolicy {
    return sandboxPolicy(
      this.sources.map(({ settings }) => settings.sandbox),
      this.#isSandboxAskedFor,
    );
  }

  /** For people and programs that want to see what holds, without secrets. */
  describe(): SettingsDescription {
    return describeSettings(this);
  }

  /** Whose commands run by themselves. `disableAllHooks` stops the policy's only where the policy says it. */
  get #sourcesOfCommands(): readonly LoadedSource[] {
    const stopping = this.sources.findLast(({ settings }) => settings.disableAllHooks !== undefined);
    const isStopped = stopping?.settings.disableAllHooks === true;
    if (isStopped && stopping.source === 'policySettings') return [];
    return isStopped || this.onlyManagedHooks ? this.#managed : this.sources;
  }

  get #managed(): readonly LoadedSource[] {
    return this.sources.filter(({ source }) => source === 'policySettings');
  }

  #last<Key extends keyof SourceSettings>(key: Key): SourceSettings[Key] | undefined {
    return this.sources.findLast(({ settings }) => settings[key] !== undefined)?.settings[key];
  }
}

function strictness(mode: PermissionMode): number {
  return MODES_BY_STRICTNESS.indexOf(mode);
}
