import { OptionsError } from '../options-error.ts';
import type { Options, Settings } from '../types/options.ts';

/** What `--settings` is given: a path, or JSON with the sandbox in it. */
export function settingsArgument({ settings, sandbox }: Options): string | undefined {
  if (!sandbox) return typeof settings === 'object' ? JSON.stringify(settings) : settings;
  return JSON.stringify({ ...inlineSettings(settings), sandbox: { ...failing(sandbox), ...sandbox } });
}

function inlineSettings(settings: Options['settings']): Settings {
  if (typeof settings !== 'string') return settings ?? {};
  if (!settings.trimStart().startsWith('{'))
    throw new OptionsError(
      'A settings file and the sandbox option exclude each other. Put the sandbox into the file.',
    );
  return JSON.parse(settings);
}

/** Whoever asks for a sandbox does not want to run without one. */
function failing(sandbox: { enabled?: boolean }): { failIfUnavailable?: boolean } {
  return sandbox.enabled ? { failIfUnavailable: true } : {};
}
