import { isJsonObject } from '@signalbox/protocol';
import type { Settings } from '../types/options.ts';

/** What a stronger source makes of a weaker one: objects are merged, lists add up, all else is replaced. */
export function mergeSettings(weaker: Settings, stronger: Settings): Settings {
  const merged: Settings = { ...weaker };
  for (const [key, value] of Object.entries(stronger)) merged[key] = mergeValue(merged[key], value);
  return merged;
}

function mergeValue(weaker: unknown, stronger: unknown): unknown {
  if (Array.isArray(weaker) && Array.isArray(stronger))
    return [...new Set<unknown>([...weaker, ...stronger])];
  return isJsonObject(weaker) && isJsonObject(stronger) ? mergeSettings(weaker, stronger) : stronger;
}
