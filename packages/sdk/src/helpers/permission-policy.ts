import { homedir } from 'node:os';
import { type PathContext, type PermissionBehavior, parseRule } from '@signalbox/protocol';
import { OptionsError } from '../options-error.ts';
import type { CanUseTool, PermissionResult, PermissionRuleValue } from '../types/permissions.ts';

/** Where the paths of rules and calls begin; the working directory and the home of this process unless given. */
export type PolicyOptions = Partial<PathContext>;

type RuleSets = Readonly<Record<PermissionBehavior, readonly PermissionRuleValue[]>>;

/** Rules about tool calls, and who decides where they do not. */
export class PermissionPolicy {
  readonly #rules: RuleSets;
  readonly #options: PolicyOptions;

  constructor(rules: RuleSets, options: PolicyOptions) {
    this.#rules = rules;
    this.#options = options;
  }

  /** Calls that need no question. A line of several commands needs a rule for each. */
  allow(...rules: string[]): PermissionPolicy {
    return this.#with('allow', rules);
  }

  /** Calls that are refused, whatever else is said. */
  deny(...rules: string[]): PermissionPolicy {
    return this.#with('deny', rules);
  }

  /** Calls that are asked about even where an allow rule covers them. */
  ask(...rules: string[]): PermissionPolicy {
    return this.#with('ask', rules);
  }

  /** The policy as `canUseTool`: `decide` is called for what no rule decides; without it, that is refused. */
  otherwise(decide: CanUseTool = refuse): CanUseTool {
    return async (toolName, input, options) => {
      // It brings a parser of shell lines along: a program without a policy must not load it.
      const { judgeWithLinks } = await import('./judge-with-links.ts');
      const { cwd = process.cwd(), home = homedir(), root } = this.#options;
      const { behavior, reason } = judgeWithLinks({ toolName, input }, this.#rules, { cwd, home, root });
      switch (behavior) {
        case 'allow':
          return { behavior: 'allow', updatedInput: input };
        case 'deny':
          return { behavior: 'deny', message: `Not permitted: ${reason}.` };
        default:
          return decide(toolName, input, options);
      }
    };
  }

  #with(behavior: PermissionBehavior, rules: string[]): PermissionPolicy {
    const added = [...this.#rules[behavior], ...rules.map(ruleOf)];
    return new PermissionPolicy({ ...this.#rules, [behavior]: added }, this.#options);
  }
}

/**
 * Begin a policy, to be read from left to right: `permissionPolicy().allow('Read').deny('Bash(rm:*)').otherwise(askMe)`.
 * Rules are written as in the agent's settings; one that cannot be understood throws `PERMISSION_RULE_INVALID`.
 */
export function permissionPolicy(options: PolicyOptions = {}): PermissionPolicy {
  return new PermissionPolicy({ allow: [], deny: [], ask: [] }, options);
}

/** Programs without types may pass anything; a list of rules is the common slip. */
function ruleOf(rule: unknown): ReturnType<typeof parseRule> {
  if (typeof rule === 'string') return parseRule(rule);
  throw new OptionsError(
    `A rule is a text such as 'Read' or 'Bash(git:*)', and several are several arguments: allow('Read', 'Grep'). This one is ${Array.isArray(rule) ? 'a list' : typeof rule}.`,
  );
}

async function refuse(toolName: string): Promise<PermissionResult> {
  return { behavior: 'deny', message: `Not permitted: no rule allows this use of ${toolName}.` };
}
