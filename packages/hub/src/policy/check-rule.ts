import {
  matchRule,
  namesTool,
  type PermissionRule,
  PermissionRuleError,
  parseRule,
} from '@signalbox/protocol';
import type { HubRule } from '@signalbox/protocol/hub';
import { RuleConflictError, RuleInvalidError } from './policy-errors.ts';
import { isWithin } from './session-place.ts';

const STRENGTH = { allow: 0, ask: 1, deny: 2 } as const;

/** No path is compared by it. */
const CONTEXT = { cwd: '/', home: '/' };

/** Raises `RULE_INVALID` for a rule that cannot be understood, or that seems to say more than it does. */
export function checkRule(text: string, behavior: HubRule['behavior'], folder: string | null): void {
  const rule = readRule(text);
  const { toolName, ruleContent = '' } = rule;
  if (
    behavior === 'allow' &&
    toolName.includes('*') &&
    !namesTool(rule, behavior, toolName.replaceAll('*', 'x'))
  )
    throw new RuleInvalidError(
      `${text} would allow tools that nobody has seen yet: an allow rule names a tool, or an MCP server as in mcp__github__*`,
    );
  const isPath = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Grep|Glob|LS)$/.test(toolName);
  if (isPath && folder === null && /^\/(?!\/)/.test(ruleContent))
    throw new RuleInvalidError(
      `${text} begins with one slash, which is the folder of a rule, and this one has none: write /${ruleContent} for a path from the root, .${ruleContent} for one from the session's folder`,
    );
}

function readRule(text: string): PermissionRule {
  try {
    return parseRule(text);
  } catch (error) {
    if (error instanceof PermissionRuleError)
      throw new RuleInvalidError(`${text.slice(0, 200)}: ${error.message}`);
    throw error;
  }
}

/** Raises `RULE_CONFLICT` when a rule would have no effect beside the others; gives those that it leaves without one. */
export function compareRules(rule: HubRule, others: readonly HubRule[]): HubRule[] {
  const outdone = others.find((other) => outdoes(other, rule));
  if (outdone) throw new RuleConflictError(rule, outdone);
  return others.filter((other) => other.isStored && outdoes(rule, other));
}

/** Whether a rule leaves another one without any effect: it is as strong, counts wherever that does, and matches all that it matches. */
function outdoes(strong: HubRule, weak: HubRule): boolean {
  if (STRENGTH[strong.behavior] < STRENGTH[weak.behavior]) return false;
  const isWider =
    (strong.session === null || strong.session === weak.session) &&
    (strong.folder === null || isWithin(weak.folder, strong.folder));
  return isWider && covers(strong, weak);
}

function covers(strong: HubRule, weak: HubRule): boolean {
  if (strong.rule === weak.rule) return true;
  // What is allowed by the rule of the command line is allowed for as long as that hub runs, and no longer.
  if (!strong.isStored) return false;
  const [one, other] = [readRule(strong.rule), readRule(weak.rule)];
  if (one.toolName !== other.toolName) return false;
  if (one.ruleContent === undefined || one.ruleContent === other.ruleContent) return true;
  if (one.toolName !== 'Bash' || other.ruleContent === undefined) return false;
  const [, prefix] = /^([^*]*?)(?::| )\*$/.exec(other.ruleContent) ?? [];
  const samples = prefix === undefined ? [other.ruleContent] : [prefix, `${prefix} x`];
  return samples.every(
    (command) =>
      !command.includes('*') &&
      matchRule(one, { toolName: 'Bash', input: { command } }, CONTEXT, strong.behavior),
  );
}
