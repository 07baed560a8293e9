import { isJsonObject } from '@signalbox/protocol';
import type { Settings } from './settings.ts';
import type { SettingsSource } from './settings-file.ts';

/** What holds, and who said it. */
export interface SettingsDescription {
  readonly effective: Readonly<Record<string, unknown>>;
  /** The weakest first. */
  readonly sources: readonly {
    readonly source: SettingsSource;
    readonly file: string;
    readonly settings: unknown;
    /** What was left out because the folder is not trusted. */
    readonly withheld: readonly string[];
  }[];
}

const MASK = '***';

/** Names of fields whose values nobody is to see. */
const SECRET = /key|token|secret|password|credential|authorization|cookie/i;

/** Settings for people and programs to look at; secrets are masked. */
export function describeSettings(settings: Settings): SettingsDescription {
  const { model, effortLevel, outputStyle, env, defaultMode, sandbox, isProjectTrusted } = settings;
  const permissions = settings.permissionSources();
  return {
    effective: masked({
      model,
      effortLevel,
      outputStyle,
      env,
      permissions: {
        allow: permissions.flatMap(({ allow }) => allow),
        deny: permissions.flatMap(({ deny }) => deny),
        ask: permissions.flatMap(({ ask }) => ask),
        additionalDirectories: permissions.flatMap(({ directories }) => directories),
        defaultMode,
      },
      sandbox,
      isProjectTrusted,
    }),
    sources: settings.sources
      .filter(({ raw }) => Object.keys(raw).length > 0)
      .map(({ source, file, raw, withheld }) => ({ source, file, settings: masked(raw), withheld })),
  };
}

function masked(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskedValue(name, value)]));
}

function maskedValue(name: string, value: unknown): unknown {
  // Which variables are secret cannot be told from their names.
  if (name === 'env' && isJsonObject(value))
    return Object.fromEntries(Object.keys(value).map((key) => [key, MASK]));
  if (Array.isArray(value)) return value.map((item: unknown) => maskedValue('', item));
  if (isJsonObject(value)) return masked(value);
  return typeof value === 'string' && SECRET.test(name) ? MASK : value;
}
