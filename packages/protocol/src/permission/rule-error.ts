import { SignalboxError } from '../errors.ts';

/** A permission rule that cannot be understood: the message names the rule's text and what is wrong with it. */
export class PermissionRuleError extends SignalboxError {
  constructor(rule: string, problem: string) {
    super('PERMISSION_RULE_INVALID', `permission rule ${JSON.stringify(rule)}: ${problem}`);
  }
}
