import type { PermissionBehavior } from '../schema/permission-update.ts';
import { compareContent } from './match-rule.ts';
import type { PathContext } from './path-pattern.ts';
import { PermissionRuleError } from './rule-error.ts';
import { RuleIndex } from './rule-index.ts';
import { formatRule } from './rule-syntax.ts';
import type { CommandPattern } from './shell/command-pattern.ts';
import { coverLine } from './shell/compare-line.ts';
import { type ReadCall, readCall, type ScopedRule, type ToolCall } from './tool-call.ts';
import { namesTool } from './tool-name.ts';

/** The rules in force, by what they do. The lists are not changed once a call was judged by them. */
export type RuleSets = { readonly [B in PermissionBehavior]: readonly ScopedRule[] };

/** What the rules say about a call; `none` leaves it to the permission mode or a person. */
export interface Judgement {
  readonly behavior: PermissionBehavior | 'none';
  /** The rule that decided (of several allow rules the first), or the one that could not be ruled out. */
  readonly rule?: ScopedRule;
  /** Why, for people to read. */
  readonly reason: string;
  /** The commands of a Bash line that no allow rule covers. */
  readonly uncovered?: readonly string[];
}

/** Judges a call: deny before ask before allow, whatever rule is the most specific. Never throws. */
export function judgeCall(call: ToolCall, rules: RuleSets, context: PathContext): Judgement {
  const read = readCall(call, context);
  let doubt: ScopedRule | undefined;
  for (const behavior of ['deny', 'ask'] as const) {
    if (rules[behavior].length === 0) continue;
    for (const { rule, content } of RuleIndex.of(rules[behavior], context.home).candidates(read)) {
      if (!namesTool(rule, behavior, call.toolName)) continue;
      // Ignoring a rule that cannot be understood would open a gate that someone meant to close.
      if (content instanceof PermissionRuleError) return { behavior, rule, reason: content.message };
      const verdict = compareContent(content, rule, read, 'wary');
      if (verdict === 'yes')
        return { behavior, rule, reason: `the ${behavior} rule ${formatRule(rule)} matches` };
      if (verdict === 'maybe') doubt ??= rule;
    }
  }
  const grant = grantCall(rules.allow, read);
  if (!doubt || grant.behavior !== 'allow') return grant;
  return {
    behavior: 'none',
    rule: doubt,
    reason: `whether ${formatRule(doubt)} matches is only known when it runs`,
  };
}

function grantCall(allow: readonly ScopedRule[], call: ReadCall): Judgement {
  const rulesOf = new Map<CommandPattern, ScopedRule>();
  for (const { rule, content } of RuleIndex.of(allow, call.context.home).candidates(call)) {
    if (!namesTool(rule, 'allow', call.toolName) || content instanceof PermissionRuleError) continue;
    if (content.kind === 'command') rulesOf.set(content.pattern, rule);
    else if (compareContent(content, rule, call, 'sure') === 'yes') return granted(rule);
  }
  if (call.toolName !== 'Bash') return { behavior: 'none', reason: 'no rule matches' };
  const { by, uncovered, obstacle } = coverLine(call.shell.line, [...rulesOf.keys()]);
  const rule = by && rulesOf.get(by);
  if (rule) return granted(rule);
  const reason = obstacle === undefined ? 'no allow rule covers every command' : `the line ${obstacle}`;
  return { behavior: 'none', reason, uncovered };
}

function granted(rule: ScopedRule): Judgement {
  return { behavior: 'allow', rule, reason: `covered by allow rules: ${formatRule(rule)}` };
}
