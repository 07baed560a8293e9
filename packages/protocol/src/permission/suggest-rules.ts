import type { PermissionRule } from '../schema/permission-update.ts';
import { isSearch, subjectPath, subjectTexts } from './call-subject.ts';
import { domainOf } from './domain-pattern.ts';
import { judgeCall } from './judge-call.ts';
import { type PathContext, splitPath } from './path-pattern.ts';
import { readShellLine } from './shell/shell-line.ts';
import { suggestCommands } from './shell/suggest-commands.ts';
import { type ToolCall, textField } from './tool-call.ts';
import { fileRuleName, isAgentTool } from './tool-name.ts';

/**
 * The allow rules to offer a person who does not want to be asked again for calls like this one. Together they cover
 * the call, or there are none: what cannot be remembered safely is approved one call at a time.
 */
export function suggestRules(call: ToolCall, context: PathContext): readonly PermissionRule[] {
  const toolName = fileRuleName(call.toolName) ?? call.toolName;
  const contents = suggestContents(call, context);
  const rules = contents?.map((ruleContent) => ({ toolName, ruleContent })) ?? [{ toolName }];
  const { behavior } = judgeCall(call, { deny: [], ask: [], allow: rules }, context);
  return behavior === 'allow' ? rules : [];
}

/** Undefined for a tool that is remembered by its name alone. */
function suggestContents(call: ToolCall, context: PathContext): readonly string[] | undefined {
  const { toolName } = call;
  if (toolName === 'Bash') return suggestCommands(readShellLine(textField(call, 'command'), context.home));
  if (toolName === 'WebFetch') return [`domain:${domainOf(textField(call, 'url')) ?? ''}`];
  if (isAgentTool(toolName)) return subjectTexts(call);
  if (toolName === 'Skill')
    return subjectTexts(call)
      .slice(0, 1)
      .map((skill) => `${skill}:*`);
  return fileRuleName(toolName) && suggestPaths(call, context);
}

/** The folder of a file, or the one that is searched; never a folder that holds the home folder. */
function suggestPaths(call: ToolCall, context: PathContext): readonly string[] {
  const path = subjectPath(call, context);
  if (path === undefined) return [];
  const names = splitPath(path, context);
  const folder = isSearch(call) ? names : names.slice(0, -1);
  const [cwd, home] = [splitPath(context.cwd, context), splitPath(context.home, context)];
  const write = (kept: readonly string[]) =>
    isWithin(kept, home) ? `~/${escapeNames(kept.slice(home.length))}` : `//${escapeNames(kept)}`;
  if (isWithin(folder, cwd)) return [`./${escapeNames([...folder.slice(cwd.length), ''])}**`];
  if (!isWithin(home, folder)) return [`${write(folder)}/**`];
  return isSearch(call) ? [] : [write(names)];
}

function escapeNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/[\\*?[\]]/g, '\\$&')).join('/');
}

function isWithin(names: readonly string[], folder: readonly string[]): boolean {
  return folder.every((name, at) => name === names[at]);
}
