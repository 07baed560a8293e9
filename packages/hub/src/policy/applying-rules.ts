import { PermissionRuleError, parseRule, type RuleSets, type ScopedRule } from '@signalbox/protocol';
import type { HubRule } from '@signalbox/protocol/hub';
import { isWithin, type SessionPlace } from './session-place.ts';

/** The rule that allows every tool call: `signalbox up --auto-approve`. No other rule may be so wide. */
export const EVERY_TOOL = '*';

/** The rules that count in a place, ready to be compared. */
export interface ApplyingRules {
  sets: RuleSets;
  /** Those allow rules that need no path: all that may allow a call whose path nobody here can follow. */
  withoutContent: readonly ScopedRule[];
  /** Allows what no other rule decides. */
  everything: HubRule | undefined;
  hubRuleOf: ReadonlyMap<ScopedRule, HubRule>;
}

/** Whether a rule counts in a place. What an agent says of itself can only make it stricter. */
export function appliesIn({ behavior, folder, session }: HubRule, place: SessionPlace): boolean {
  if (session !== null && session !== place.session) return false;
  if (folder === null || isWithin(place.folder, folder) || isWithin(place.origin, folder)) return true;
  return behavior !== 'allow' && isWithin(place.claimed, folder);
}

/** Make rules ready to be compared. */
export function prepareRules(rules: readonly HubRule[]): ApplyingRules {
  const hubRuleOf = new Map<ScopedRule, HubRule>();
  const everything = rules.find(({ rule, behavior }) => rule === EVERY_TOOL && behavior === 'allow');
  const sets: { [Behavior in HubRule['behavior']]: ScopedRule[] } = { allow: [], deny: [], ask: [] };
  for (const hubRule of rules) {
    if (hubRule === everything) continue;
    const scoped = scopedRule(hubRule);
    if (!scoped) continue;
    hubRuleOf.set(scoped, hubRule);
    sets[hubRule.behavior].push(scoped);
  }
  const withoutContent = sets.allow.filter(({ ruleContent }) => ruleContent === undefined);
  return { sets, withoutContent, everything, hubRuleOf };
}

/** A rule of a later version that is not understood here allows nothing; one that forbids holds for every call. */
function scopedRule({ rule, behavior, folder }: HubRule): ScopedRule | undefined {
  try {
    return { ...parseRule(rule), root: folder ?? undefined };
  } catch (error) {
    if (!(error instanceof PermissionRuleError)) throw error;
    return behavior === 'allow' ? undefined : { toolName: EVERY_TOOL };
  }
}
