import type { PermissionBehavior } from '../schema/permission-update.ts';
import type { ScopedRule } from './tool-call.ts';
import { matchesWildcard } from './wildcard.ts';

const READERS = new Set(['Read', 'Grep', 'Glob', 'LS', 'NotebookRead']);
const EDITORS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const AGENTS = new Set(['Agent', 'Task']);

/** `Read` or `Edit`, whichever rules cover this file tool; undefined for another tool. */
export function fileRuleName(toolName: string): 'Read' | 'Edit' | undefined {
  if (READERS.has(toolName)) return 'Read';
  return EDITORS.has(toolName) ? 'Edit' : undefined;
}

export function isAgentTool(toolName: string): boolean {
  return AGENTS.has(toolName);
}

/** The names by which rules may be about a tool, beside those with a `*`. */
export function ruleNamesFor(toolName: string): readonly string[] {
  const fileRule = fileRuleName(toolName);
  if (fileRule === undefined && !AGENTS.has(toolName) && !toolName.startsWith('mcp__')) return [toolName];
  const names = new Set([toolName, fileRule ?? toolName]);
  if (EDITORS.has(toolName)) names.add('Read');
  if (AGENTS.has(toolName)) for (const name of AGENTS) names.add(name);
  if (toolName.startsWith('mcp__')) {
    for (let at = toolName.indexOf('__', 5); at !== -1; at = toolName.indexOf('__', at + 1))
      names.add(toolName.slice(0, at));
  }
  return [...names];
}

/** Whether the rule is about this tool at all. */
export function namesTool(rule: ScopedRule, behavior: PermissionBehavior, toolName: string): boolean {
  const named = rule.toolName;
  if (named === toolName || named === fileRuleName(toolName)) return true;
  if (named.includes('*')) return mayUseWildcard(named, behavior) && matchesWildcard(named, toolName);
  // The server in a rule for another agent may have `__` in its name: what such a rule denies is denied.
  if (behavior === 'allow' ? /^mcp__(?!.*__)/s.test(named) : named.startsWith('mcp__'))
    return toolName.startsWith(`${named}__`);
  // What must not be read must not be edited either: an edit shows what was there.
  if (named === 'Read') return behavior === 'deny' && rule.ruleContent !== undefined && EDITORS.has(toolName);
  return AGENTS.has(named) && AGENTS.has(toolName);
}

/** An allow rule must name the MCP server, so that a server which is added later is not covered by accident. */
function mayUseWildcard(named: string, behavior: PermissionBehavior): boolean {
  return behavior !== 'allow' || /^mcp__(?:[^*_]|_(?!_))+__/.test(named);
}
