import type { PermissionBehavior } from '../schema/permission-update.ts';
import { subjectPath, subjectTexts } from './call-subject.ts';
import type { Care } from './care.ts';
import { matchesDomain } from './domain-pattern.ts';
import { matchesPath, type PathContext } from './path-pattern.ts';
import { type RuleContent, readContent } from './rule-content.ts';
import type { Verdict } from './shell/command-pattern.ts';
import { catchLine, coverLine } from './shell/compare-line.ts';
import { type ReadCall, readCall, type ScopedRule, type ToolCall, textField } from './tool-call.ts';
import { namesTool } from './tool-name.ts';
import { matchesWildcard } from './wildcard.ts';

/** Fields with a rule syntax of their own, which a `field:value` rule would only seem to restrict. */
const CONTENT_FIELDS = new Set(['command', 'file_path', 'notebook_path', 'path', 'url']);

/**
 * Whether this one rule, used as `behavior`, decides the call: an allow rule must cover all of it, a deny or ask rule
 * any part. Throws {@link PermissionRuleError} for a rule that cannot be understood.
 */
export function matchRule(
  rule: ScopedRule,
  call: ToolCall,
  context: PathContext,
  behavior: PermissionBehavior,
): boolean {
  if (!namesTool(rule, behavior, call.toolName)) return false;
  const content = readContent(rule, context.home);
  return (
    compareContent(content, rule, readCall(call, context), behavior === 'allow' ? 'sure' : 'wary') === 'yes'
  );
}

/** Compares the content of a rule that is about the call's tool; `maybe` when a deny or ask rule cannot be ruled out. */
export function compareContent(content: RuleContent, rule: ScopedRule, call: ReadCall, care: Care): Verdict {
  if (care === 'wary' && rule.ruleContent !== undefined && matchesField(rule.ruleContent, call)) return 'yes';
  switch (content.kind) {
    case 'command': {
      const { line, revealed } = call.shell;
      if (care === 'wary') return catchLine(line, revealed, content.pattern);
      return yesIf(coverLine(line, [content.pattern]).by !== undefined);
    }
    case 'path': {
      const path = subjectPath(call, call.context);
      if (path === undefined) return care === 'wary' ? 'maybe' : 'no';
      const context = { ...call.context, root: rule.root ?? call.context.root };
      return yesIf(matchesPath(content.pattern, path, context, care));
    }
    case 'domain':
      return yesIf(matchesDomain(content.pattern, textField(call, 'url'), care));
    case 'text': {
      const texts = subjectTexts(call);
      const matches = (text: string) => matchesText(content.text, text);
      return yesIf(care === 'wary' ? texts.some(matches) : texts.length > 0 && texts.every(matches));
    }
    default:
      return 'yes';
  }
}

/** `name`, `name:*` or `name *` for a name and whatever follows it, or a `*` anywhere else. */
function matchesText(content: string, text: string): boolean {
  const prefix = /^([^*]*)[: ]\*$/s.exec(content)?.[1];
  if (prefix === undefined) return matchesWildcard(content, text);
  return text === prefix || text.startsWith(`${prefix} `) || text.startsWith(`${prefix}:`);
}

/** `field:value` in a deny or ask rule: a plain field of the input that has this value. */
function matchesField(content: string, call: ToolCall): boolean {
  const [, field = '', pattern = ''] = /^(\w+)\s*:\s*(.+)$/s.exec(content) ?? [];
  const value =
    Object.hasOwn(call.input, field) && !CONTENT_FIELDS.has(field) ? call.input[field] : undefined;
  return /^(?:string|number|boolean)$/.test(typeof value) && matchesWildcard(pattern, String(value));
}

function yesIf(matches: boolean): Verdict {
  return matches ? 'yes' : 'no';
}
