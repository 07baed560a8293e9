import type { HookEvent, JsonObject, PermissionUpdate } from '@signalbox/protocol';

/** What a hook says about a tool call before it is made. */
export interface HookPermission {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly reason: string;
}

/** A hook's answer in place of the person who would be asked for permission. */
export type HookRequestDecision =
  | { behavior: 'allow'; updatedInput?: JsonObject; updatedPermissions?: readonly PermissionUpdate[] }
  | { behavior: 'deny'; message: string; interrupt: boolean };

/** What the hooks of an event want, all taken together. */
export interface HookOutcome {
  /** Of `PreToolUse`: the strictest answer that was given. */
  readonly permission?: HookPermission;
  /** Of `PreToolUse`: what the tool gets instead; of several, the last in the order of the settings. */
  readonly updatedInput?: JsonObject;
  /** What was about to happen must not, and why. In `PreToolUse` the permission is then denied too. */
  readonly blocked?: string;
  /** The turn must end, and why. */
  readonly stopped?: string;
  /** For the model. */
  readonly additionalContext: readonly string[];
  /** For the person. */
  readonly systemMessages: readonly string[];
  /** Of `PermissionRequest`: a denial before a permission. */
  readonly request?: HookRequestDecision;
  /** Of `PostToolUse`: what the model sees instead of what the tool said. */
  readonly updatedToolOutput?: unknown;
}

/** Nothing was said. */
export const NO_OUTCOME: HookOutcome = { additionalContext: [], systemMessages: [] };

const STRICTNESS = { allow: 1, ask: 2, deny: 3 } as const;

/** A hook that forbids what was about to happen. */
export function blockedOutcome(event: HookEvent, reason: string): HookOutcome {
  return {
    ...NO_OUTCOME,
    blocked: reason,
    ...(event === 'PreToolUse' ? { permission: { behavior: 'deny', reason } } : {}),
    ...(event === 'PermissionRequest'
      ? { request: { behavior: 'deny', message: reason, interrupt: false } }
      : {}),
  };
}

/** One outcome of many. Hooks run beside each other, so nothing depends on who was first to answer. */
export function mergeOutcomes(outcomes: readonly HookOutcome[]): HookOutcome {
  const requests = outcomes.flatMap(({ request }) => request ?? []);
  const request = requests.find(({ behavior }) => behavior === 'deny') ?? requests[0];
  const permission = strictest(outcomes.flatMap((outcome) => outcome.permission ?? []));
  const updatedInput = outcomes.findLast((outcome) => outcome.updatedInput)?.updatedInput;
  const replaced = outcomes.findLast((outcome) => 'updatedToolOutput' in outcome);
  const blocked = joined(outcomes.flatMap((outcome) => outcome.blocked ?? []));
  const stopped = joined(outcomes.flatMap((outcome) => outcome.stopped ?? []));
  return {
    ...(permission && { permission }),
    ...(updatedInput && { updatedInput }),
    ...(blocked !== undefined && { blocked }),
    ...(stopped !== undefined && { stopped }),
    additionalContext: outcomes.flatMap(({ additionalContext }) => additionalContext),
    systemMessages: outcomes.flatMap(({ systemMessages }) => systemMessages),
    ...(request && { request }),
    ...(replaced && { updatedToolOutput: replaced.updatedToolOutput }),
  };
}

function strictest(permissions: readonly HookPermission[]): HookPermission | undefined {
  return permissions.reduce<HookPermission | undefined>(
    (best, next) => (best && STRICTNESS[best.behavior] >= STRICTNESS[next.behavior] ? best : next),
    undefined,
  );
}

function joined(reasons: readonly string[]): string | undefined {
  return reasons.length > 0 ? reasons.join('\n') : undefined;
}
