import type { AgentOptions } from '../command-line/agent-options.ts';
import { LiveSettings } from '../settings/live-settings.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { StartContext } from './start-context.ts';

/** The settings that a session begins with, and how they are read anew. */
export function liveSettings(
  options: AgentOptions,
  context: StartContext,
  isTrustAsked = false,
): LiveSettings {
  // What counts for a folder's trust is the environment that started us, also when they are read anew.
  const given = { ...context, env: { ...context.env } };
  const current = loadSettings({ ...given, options, isTrustAsked });
  // What a folder did not get was told the first time.
  return new LiveSettings(current, (settings) =>
    loadSettings({ ...given, options: { ...options, settings }, isTrustAsked: true }),
  );
}
