import type { PermissionRule } from '../schema/permission-update.ts';
import type { PathContext } from './path-pattern.ts';
import { revealCommands } from './shell/reveal.ts';
import { readShellLine, type ShellCommand, type ShellLine } from './shell/shell-line.ts';

/** A tool and the input that a model wants to give it. Resolve symbolic links in its paths before it is judged. */
export interface ToolCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A rule with the folder that a leading `/` in its path means, where that is not the context's. */
export type ScopedRule = PermissionRule & { readonly root?: string | undefined };

/** A call that was read once, to be compared with many rules. */
export interface ReadCall extends ToolCall {
  readonly context: PathContext;
  readonly shell: { readonly line: ShellLine; readonly revealed: readonly ShellCommand[] };
}

export function readCall(call: ToolCall, context: PathContext): ReadCall {
  const line = readShellLine(call.toolName === 'Bash' ? textField(call, 'command') : '', context.home);
  const shell = { line, revealed: revealCommands(line, context.home) };
  return { toolName: call.toolName, input: call.input, context, shell };
}

/** A text of the call's input; empty when it is missing or of another type. */
export function textField(call: ToolCall, name: string): string {
  const value = call.input[name];
  return typeof value === 'string' ? value : '';
}
