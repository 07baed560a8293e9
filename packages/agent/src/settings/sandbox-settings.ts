import { resolvePath } from '../base/resolve-path.ts';
import type { Fields } from './fields.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';

type Lists = Omit<SandboxPolicy, 'isEnabled' | 'autoAllows' | 'mayBeLeft'>;

/** What one source says about the sandbox. Paths are absolute. */
export interface SandboxSettings extends Lists {
  readonly enabled: boolean | undefined;
  readonly autoAllowBashIfSandboxed: boolean | undefined;
  readonly allowUnsandboxedCommands: boolean | undefined;
}

export function noSandboxSettings(): SandboxSettings {
  return {
    enabled: undefined,
    autoAllowBashIfSandboxed: undefined,
    allowUnsandboxedCommands: undefined,
    excludedCommands: [],
    allowedDomains: [],
    deniedDomains: [],
    allowUnixSockets: [],
    allowWrite: [],
    denyWrite: [],
    allowRead: [],
    denyRead: [],
  };
}

export function readSandboxSettings(fields: Fields, root: string, home: string): SandboxSettings {
  const network = fields.object('network');
  const filesystem = fields.object('filesystem');
  const paths = (from: Fields, key: string): string[] =>
    from.texts(key).map((text) => {
      const path = absolutePath(text, root, home);
      // A pattern that is not understood would leave open what it was meant to close.
      if (/[*?[\]{}]/.test(path))
        throw from.problem(key, `has a pattern ("${text}"); give files and folders`);
      return path;
    });
  return {
    enabled: fields.flag('enabled'),
    autoAllowBashIfSandboxed: fields.flag('autoAllowBashIfSandboxed'),
    allowUnsandboxedCommands: fields.flag('allowUnsandboxedCommands'),
    excludedCommands: fields.texts('excludedCommands'),
    allowedDomains: network.texts('allowedDomains'),
    deniedDomains: network.texts('deniedDomains'),
    allowUnixSockets: paths(network, 'allowUnixSockets'),
    allowWrite: paths(filesystem, 'allowWrite'),
    denyWrite: paths(filesystem, 'denyWrite'),
    allowRead: paths(filesystem, 'allowRead'),
    denyRead: paths(filesystem, 'denyRead'),
  };
}

/** What all sources together say; the last word has the last one. */
export function sandboxPolicy(sources: readonly SandboxSettings[], isAskedFor: boolean): SandboxPolicy {
  const all = (key: keyof Lists): string[] => [...new Set(sources.flatMap((source) => source[key]))];
  const last = (key: 'enabled' | 'autoAllowBashIfSandboxed'): boolean =>
    sources.findLast((source) => source[key] !== undefined)?.[key] ?? false;
  return {
    isEnabled: isAskedFor || last('enabled'),
    autoAllows: last('autoAllowBashIfSandboxed'),
    // Whoever says that commands must stay inside is not overruled.
    mayBeLeft: sources.every(({ allowUnsandboxedCommands }) => allowUnsandboxedCommands !== false),
    excludedCommands: all('excludedCommands'),
    allowedDomains: all('allowedDomains'),
    deniedDomains: all('deniedDomains'),
    allowUnixSockets: all('allowUnixSockets'),
    allowWrite: all('allowWrite'),
    denyWrite: all('denyWrite'),
    allowRead: all('allowRead'),
    denyRead: all('denyRead'),
  };
}

/** A folder may be written with all that is in it: `~/.ssh/**`. */
function absolutePath(text: string, root: string, home: string): string {
  const path = text.replace(/(?:\/\*{1,2})+$/, '') || '/';
  return resolvePath(path, { cwd: root, home });
}
