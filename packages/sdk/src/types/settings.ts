import type { SettingSource, Settings } from './options.ts';

/** Whose settings: a file's, the machine's or host's policy, or those of a flag. */
export type ResolvedSettingSource = SettingSource | 'managed' | 'flag';

/** Where a policy comes from: the server of an organisation, a file of the machine, the host itself, … */
export type PolicySettingsOrigin = 'helper' | 'remote' | 'plist' | 'hklm' | 'file' | 'parent' | 'hkcu';

/** Who set a setting last. */
export interface ProvenanceEntry {
  source: ResolvedSettingSource;
  /** The file, where it is one. */
  path?: string;
  policyOrigin?: PolicySettingsOrigin;
}

/** What one source says. */
export type SourceOfSettings = ProvenanceEntry & { settings: Settings };

/** The settings that hold, and who set them. */
export interface ResolvedSettings {
  effective: Settings;
  /** For each setting at the top: the strongest source that has it. */
  provenance: Record<string, ProvenanceEntry>;
  /** What each source says, the weakest first. */
  sources: SourceOfSettings[];
  /** Which of the machine's policies are there and could not be read. */
  machinePolicy?: { didNotLoad: false | ('profile' | 'registry' | 'file')[] };
}

/** Which settings to read. */
export interface ResolveSettingsOptions {
  /** The folder whose project settings count; that of this process unless given. */
  cwd?: string;
  /** All unless given. The machine's policy is read in any case. */
  settingSources?: SettingSource[];
  /** What the host restricts, as in the options of `query`. What does not restrict is left out. */
  managedSettings?: Settings;
  /** What the server of an organisation said; it stands in the place of the machine's own policy. */
  serverManagedSettings?: Settings;
}

/** Which models a list denies. */
export interface DeniedModelsMatch {
  /** For each model that was asked about, in order. */
  denied: boolean[];
  /** What is odd about the list or the models. */
  warnings: string[];
}
