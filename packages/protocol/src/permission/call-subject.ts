import type { PathContext } from './path-pattern.ts';
import { type ToolCall, textField } from './tool-call.ts';
import { isAgentTool } from './tool-name.ts';

/** Whether the call names a folder to look into, not a file. */
export function isSearch({ toolName }: ToolCall): boolean {
  return toolName === 'Glob' || toolName === 'Grep' || toolName === 'LS';
}

/** The file that a call is about, or the folder that it searches; undefined when the call does not say. */
export function subjectPath(call: ToolCall, context: PathContext): string | undefined {
  if (call.toolName.startsWith('Notebook')) return textField(call, 'notebook_path') || undefined;
  if (!isSearch(call)) return textField(call, 'file_path') || undefined;
  const folder = textField(call, 'path') || context.cwd;
  return call.toolName === 'Glob' ? searchFolder(folder, textField(call, 'pattern')) : folder;
}

/** What a rule for an agent or a skill compares: a skill is known by its name and by its name with its arguments. */
export function subjectTexts(call: ToolCall): readonly string[] {
  if (isAgentTool(call.toolName)) return [textField(call, 'subagent_type')];
  if (call.toolName !== 'Skill') return [];
  const names = ['skill', 'command'].map((field) => textField(call, field)).filter((name) => name !== '');
  return names.flatMap((name) => [name, `${name} ${textField(call, 'args')}`.trim()]);
}

/** A glob searches below its own leading folders: `../secret/*` in `src` does not search `src`. */
function searchFolder(folder: string, pattern: string): string | undefined {
  const names = pattern.split('/');
  const firstWildcard = names.findIndex((name) => /[*?[\]{}!()\\]/.test(name));
  const fixed = firstWildcard === -1 ? names : names.slice(0, firstWildcard);
  if (names.slice(fixed.length).some((name) => name.includes('..')) || /\{[^}]*\//.test(pattern))
    return undefined;
  return /^[/~]/.test(pattern) ? `${fixed.join('/')}/` : [folder, ...fixed].join('/');
}
