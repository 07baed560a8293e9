import type { PermissionRule } from '../schema/permission-update.ts';
import { readContent } from './rule-content.ts';
import { PermissionRuleError } from './rule-error.ts';

/**
 * Reads `Tool` or `Tool(content)`; throws {@link PermissionRuleError}. In the content `\(`, `\)` and `\\` stand for the
 * second character; parentheses that come in pairs need no backslash.
 */
export function parseRule(text: string): PermissionRule {
  const [, toolName, inner] = /^([^\s()]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  if (toolName === undefined) throw new PermissionRuleError(text, 'is not of the form Tool or Tool(content)');
  const rule = inner === undefined ? { toolName } : { toolName, ruleContent: unescapeContent(text, inner) };
  readContent(rule, '');
  return rule;
}

/** The text that {@link parseRule} reads as this rule. */
export function formatRule({ toolName, ruleContent }: PermissionRule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent.replace(/[\\()]/g, '\\$&')})`;
}

function unescapeContent(rule: string, text: string): string {
  let depth = 0;
  const content = text.replace(/\\[\\()]|[()\\]/g, (found, at: number) => {
    if (found.length === 2) return found.slice(1);
    if (found === '(') depth++;
    else if (found === ')') depth--;
    else if (at === text.length - 1) depth = -1;
    if (depth < 0)
      throw new PermissionRuleError(rule, 'a parenthesis is not closed; write \\( or \\) for the character');
    return found;
  });
  if (depth > 0)
    throw new PermissionRuleError(rule, 'a parenthesis is not closed; write \\( or \\) for the character');
  return content;
}
