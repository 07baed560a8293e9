import { type DomainPattern, parseDomainPattern } from './domain-pattern.ts';
import { type PathPattern, parsePathPattern } from './path-pattern.ts';
import { PermissionRuleError } from './rule-error.ts';
import { type CommandPattern, parseCommandPattern } from './shell/command-pattern.ts';
import type { ScopedRule } from './tool-call.ts';
import { fileRuleName } from './tool-name.ts';

/** What stands between a rule's parentheses, read in the way of its tool. */
export type RuleContent =
  | { readonly kind: 'everything' }
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'domain'; readonly pattern: DomainPattern }
  | { readonly kind: 'text'; readonly text: string };

/** Throws {@link PermissionRuleError} when the tool's rules have no such content. */
export function readContent({ toolName, ruleContent: content }: ScopedRule, home: string): RuleContent {
  if (content === undefined || (toolName === 'Bash' && content === '*')) return { kind: 'everything' };
  if (content.trim() === '') throw new PermissionRuleError(`${toolName}()`, 'leave out empty parentheses');
  if (toolName.includes('*') || toolName.startsWith('mcp__')) {
    throw new PermissionRuleError(`${toolName}(…)`, 'a rule for such a tool name takes no parentheses');
  }
  if (toolName === 'Bash') return { kind: 'command', pattern: parseCommandPattern(content, home) };
  if (toolName === 'WebFetch') return { kind: 'domain', pattern: parseDomainPattern(content) };
  if (fileRuleName(toolName)) return { kind: 'path', pattern: parsePathPattern(content) };
  return { kind: 'text', text: content };
}

/** The content, or what is wrong with it. */
export function tryContent(rule: ScopedRule, home: string): RuleContent | PermissionRuleError {
  try {
    return readContent(rule, home);
  } catch (error) {
    if (error instanceof PermissionRuleError) return error;
    throw error;
  }
}
