import { runGuarded } from '../commands/session-commands.ts';
import type { Extensions } from '../loop/extensions.ts';
import { History, type Message } from '../loop/history.ts';
import { mayReadUnasked } from '../loop/permit-call.ts';
import { PromptCache } from '../loop/prompt-cache.ts';
import type { SessionCore, SessionState } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';
import type { ThreadTools } from '../loop/thread-tools.ts';
import { mcpResourceTools } from '../mcp/mcp-resource-tools.ts';
import { DEFAULT_MODEL, fullModelName } from '../model/prices.ts';
import { isToolDenied } from '../permission/denied-tools.ts';
import type { OpenSession } from '../session/open-session.ts';
import { SubAgents } from '../subagents/sub-agents.ts';
import { taskTool } from '../subagents/task-tool.ts';
import { BUILT_IN_TOOLS } from '../tools/registry.ts';
import { skillTool } from '../tools/skill.ts';
import type { Tool } from '../tools/tool.ts';
import { type GivenPrompt, systemPrompt } from './system-prompt.ts';

/** The session's own conversation, with what a host may change about it. */
export interface MainThread extends Thread {
  given: GivenPrompt;
  structuredTool: Tool | undefined;
}

/** The conversation that prompts go to. */
export function mainThread(
  core: SessionCore,
  extensions: Extensions,
  state: SessionState,
  loaded: OpenSession['loaded'],
  toolSession: ThreadTools,
): MainThread {
  const { options } = core;
  const role = options.agent === undefined ? undefined : extensions.agents.find(options.agent);
  const thread: MainThread = {
    parentToolUseId: null,
    agent: undefined,
    history: new History(spoken(loaded?.messages ?? [])),
    toolSession,
    fileInstructions: extensions.fileInstructions,
    get log() {
      return state.log;
    },
    modelName: fullModelName(options.model ?? role?.model ?? DEFAULT_MODEL),
    contextTokens: 0,
    promptCache: new PromptCache(),
    given: {
      systemPrompt: options.systemPrompt ?? role?.prompt,
      appendSystemPrompt: options.appendSystemPrompt,
    },
    structuredTool: undefined,
    structured: { isWanted: false, value: undefined },
    systemPrompt: () => systemPrompt(thread.given, extensions, toolSession.originalCwd),
    tools: () => [
      ...offered(),
      ...[...extensions.mcp.tools(), ...mcpResourceTools(extensions.mcp)].filter(
        ({ name }) => !isHidden(name),
      ),
      ...(thread.structuredTool ? [thread.structuredTool] : []),
    ],
    maxTurns: options.maxTurns,
    inbox: [],
    denials: [],
  };
  // Who is asked for permission must not be what the model can talk to.
  const asker = typeof options.asks === 'object' ? options.asks.mcpTool : undefined;
  const isHidden = (name: string): boolean => name === asker || isToolDenied(core.permissions.rules, name);
  const task = taskTool(new SubAgents(core, thread, extensions.agents));
  const skills = skillTool((name) => extensions.catalog.find(name), {
    onUse: ({ allowedTools }) => core.permissions.allowForTurn(allowedTools),
    runShell: (command, { toolUseId, signal }) => runGuarded(command, { core, thread, toolUseId, signal }),
    mayRead: (path) => mayReadUnasked(core, thread, path),
    onProblem: (message) => core.onProblem({ message }),
  });
  const builtIn = [task, ...BUILT_IN_TOOLS];
  const wanted = options.tools ?? role?.tools;
  const offered = (): Tool[] =>
    [...builtIn, ...(extensions.catalog.forModel().length > 0 ? [skills] : [])].filter(
      ({ name }) => (wanted?.includes(name) ?? true) && !isHidden(name),
    );
  return thread;
}

/** A loaded conversation has only users and assistants in it. */
function spoken(messages: NonNullable<OpenSession['loaded']>['messages']): Message[];
function spoken(messages: readonly { role: string }[]): unknown {
  return messages.filter(({ role }) => role === 'user' || role === 'assistant');
}
