import { SignalboxError } from '@signalbox/protocol';
import type { HubRule } from '@signalbox/protocol/hub';
import { ruleWords } from './rule-words.ts';

/** A rule cannot be understood, or could never match anything. */
export class RuleInvalidError extends SignalboxError {
  constructor(problem: string) {
    super('RULE_INVALID', `${problem}. The rule was not kept; docs/POLICY.md has examples.`);
  }
}

/** A rule would have no effect beside another one. */
export class RuleConflictError extends SignalboxError {
  constructor(rule: HubRule, other: HubRule) {
    const isSame = rule.behavior === other.behavior;
    const why = isSame ? 'does the same already' : 'is stronger, and this one would never have an effect';
    super(
      'RULE_CONFLICT',
      `${ruleWords(rule)} was not kept: ${ruleWords(other)} (${other.id}) ${why}. Remove that one first, if it is not meant.`,
    );
  }
}
