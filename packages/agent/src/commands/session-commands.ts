import { messageOf } from '@signalbox/protocol';
import { ToolFailure } from '../base/tool-failure.ts';
import type { Extensions } from '../loop/extensions.ts';
import { mayReadUnasked } from '../loop/permit-call.ts';
import type { SessionCore } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';
import { useTool } from '../loop/use-tool.ts';
import type { McpPrompt } from '../mcp/mcp-offers.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { expandCommand, promptText } from '../project/expand-command.ts';
import type { ProjectCommand } from '../project/project-command.ts';
import { BUILT_IN_COMMANDS } from './built-in-commands.ts';
import type { Command, PromptingCommand } from './command.ts';

/** All that a person can call with a slash: built-in commands, those from files, and the prompts of servers. */
export function sessionCommands(
  core: SessionCore,
  thread: Thread,
  extensions: Extensions,
): readonly Command[] {
  const builtIn = new Set(BUILT_IN_COMMANDS.map(({ name }) => name));
  return [
    ...BUILT_IN_COMMANDS,
    ...extensions.catalog
      .forUser()
      .filter(({ name }) => !builtIn.has(name))
      .map((command) => fromFile(command, core, thread)),
    ...extensions.mcp.prompts().map((prompt) => fromServer(prompt, extensions.mcp)),
  ];
}

/** Run a line of a command as the model would: rules, hooks and people have their say. */
export async function runGuarded(
  command: string,
  place: { core: SessionCore; thread: Thread; toolUseId: string; signal: AbortSignal },
): Promise<string> {
  const { core, thread, toolUseId, signal } = place;
  const context = { session: thread.toolSession, toolUseId, signal };
  const call = { id: toolUseId, name: 'Bash', input: { command } };
  const { content, isError } = await useTool(call, { core, thread, context });
  const text = typeof content === 'string' ? content : messageOf(content);
  if (isError) throw new ToolFailure(text);
  return text;
}

function fromFile(command: ProjectCommand, core: SessionCore, thread: Thread): PromptingCommand {
  const { name, description, argumentHint = '', allowedTools, model } = command;
  return {
    kind: 'prompt',
    name,
    description,
    argumentHint,
    allowedTools,
    ...(model === undefined ? {} : { model }),
    async expand(args, signal) {
      const { originalCwd: cwd, home } = thread.toolSession;
      const toolUseId = `command_${crypto.randomUUID()}`;
      const expanded = await expandCommand(command, args, {
        cwd,
        home,
        sessionId: core.id,
        runShell: (line) => runGuarded(line, { core, thread, toolUseId, signal }),
        mayRead: (path) => mayReadUnasked(core, thread, path),
        onProblem: (message) => core.onProblem({ message }),
      });
      return promptText(expanded);
    },
  };
}

function fromServer({ name, description, arguments: wanted }: McpPrompt, mcp: McpServers): PromptingCommand {
  return {
    kind: 'prompt',
    name,
    description,
    argumentHint: wanted.map((argument) => `<${argument.name}>`).join(' '),
    expand: (args, signal) => mcp.getPrompt(name, wordsFor(wanted.length, args), signal),
  };
}

/** Arguments are words; the last one takes what is left, so that a sentence needs no quotes. */
function wordsFor(count: number, args: string): string[] {
  const words = args.split(/\s+/).filter(Boolean);
  return words.length <= count ? words : [...words.slice(0, count - 1), words.slice(count - 1).join(' ')];
}
