import type { RetentionLimits } from '@signalbox/protocol/hub';
import { retention } from '@signalbox/protocol/hub/routes';
import { type ConfigFile, RETENTION, readConfig, SettingError } from './up-settings.ts';
import { writeConfig } from './write-config.ts';

/** The limits of retention in `config.json` of a home, for the hub to read and to change. */
export function retentionSettings(home: string): {
  read: () => RetentionLimits;
  write: (limits: RetentionLimits) => void;
} {
  const write = (limits: RetentionLimits): void => {
    const { file, config } = readConfig(home);
    const { [RETENTION]: _, ...others } = config;
    const isEmpty = Object.keys(limits).length === 0;
    writeConfig({ file, config: isEmpty ? others : { ...config, [RETENTION]: limits } });
  };
  return { read: () => readRetention(home), write };
}

/** What `config.json` of the home says is kept for how long; nothing where it says nothing. Raises `SETTING_INVALID`. */
export function readRetention(home: string): RetentionLimits {
  return retentionIn(readConfig(home));
}

/** The same of a `config.json`. Raises `SETTING_INVALID`. */
export function retentionIn({ file, config }: ConfigFile): RetentionLimits {
  const result = retention.safeParse(config[RETENTION] ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = [RETENTION, ...(issue?.path ?? [])].join('.');
  throw new SettingError(file, `"${place}": ${issue?.message ?? 'it cannot be read'}.`);
}
