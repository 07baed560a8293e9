import type { HookRule } from './hook-rules.ts';

/** What a host shows about hooks. */
export type HookListing = ReturnType<typeof listHooks>;

/** Registered hooks, and how many there are of each event. */
export function listHooks(rules: readonly HookRule[]) {
  const names = [...new Set(rules.map(({ event }) => event))];
  return {
    events: names.map((name) => ({ name, hookCount: rules.filter(({ event }) => event === name).length })),
    hooks: rules.map((rule) => ({
      event: rule.event,
      matcher: rule.matcherText,
      source: rule.source,
      type: rule.kind,
      displayText: rule.kind === 'command' ? rule.command : rule.callbackId,
      timeout: rule.timeoutMs / 1000,
      ...(rule.kind === 'command' && rule.isAsync ? { runsInBackground: true } : {}),
    })),
  };
}
