import type { Settings } from './options.ts';

/** How commands are confined, as in the agent's settings. */
export interface SandboxSettings extends Settings {
  enabled?: boolean;
  failIfUnavailable?: boolean;
  autoAllowBashIfSandboxed?: boolean;
  allowUnsandboxedCommands?: boolean;
  excludedCommands?: string[];
  network?: SandboxNetworkConfig;
  filesystem?: SandboxFilesystemConfig;
  credentials?: SandboxCredentialsConfig;
  ignoreViolations?: SandboxIgnoreViolations;
}

/** What confined commands reach. */
export interface SandboxNetworkConfig extends Settings {
  allowedDomains?: string[];
  deniedDomains?: string[];
  allowManagedDomainsOnly?: boolean;
  allowUnixSockets?: string[];
  allowAllUnixSockets?: boolean;
  allowLocalBinding?: boolean;
  httpProxyPort?: number;
  socksProxyPort?: number;
}

/** What confined commands read and write. */
export interface SandboxFilesystemConfig extends Settings {
  allowWrite?: string[];
  denyWrite?: string[];
  denyRead?: string[];
  allowRead?: string[];
  allowManagedReadPathsOnly?: boolean;
}

interface Credential extends Settings {
  mode: 'deny' | 'mask';
  extract?: string;
  onExtractNoMatch?: 'deny' | 'error' | 'warn';
  decode?: 'jwt';
  maskClaims?: string[];
  injectHosts?: string[];
}

/** Which secrets confined commands do not see, or see masked. */
export interface SandboxCredentialsConfig extends Settings {
  files?: (Credential & { path: string; maskDuplicates?: boolean })[];
  envVars?: (Credential & { name: string })[];
  allowPlaintextInject?: boolean;
}

/** Violations that are not reported, by the command. */
export type SandboxIgnoreViolations = Record<string, string[]>;
