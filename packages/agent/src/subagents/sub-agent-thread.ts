import { messageOf, type PermissionMode } from '@signalbox/protocol';
import { History } from '../loop/history.ts';
import type { SessionCore } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';
import { fullModelName } from '../model/prices.ts';
import type { AgentDefinition } from '../project/agent-definition.ts';
import { gitBranch } from '../session/git-branch.ts';
import { NoTranscript, type SessionLog, Transcript } from '../session/transcript.ts';
import type { Tool } from '../tools/tool.ts';

/** What only the session itself may do: start sub-agents, and settle with a person how to go on. */
const NOT_FOR_SUB_AGENTS = ['Task', 'AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'StructuredOutput'];

const NOTES = `You work for another agent, which gets nothing but your last message: say there what you did and found, with absolute paths. Commands start in the working directory each time.`;

/** A new conversation for a sub-agent of this thread. */
export function subAgentThread(
  core: SessionCore,
  parent: Thread,
  definition: AgentDefinition,
  call: {
    agentId: string;
    toolUseId: string;
    task: string;
    model: string | undefined;
    onToolUse: (name: string) => void;
  },
): Thread {
  const { agentId, toolUseId, task, onToolUse } = call;
  const log = sidechainLog(core, parent, agentId);
  const model = call.model ?? definition.model;
  return {
    parentToolUseId: toolUseId,
    agent: { id: agentId, type: definition.name },
    task,
    history: new History(),
    toolSession: parent.toolSession.forSubAgent(modeFor(core, parent, definition)),
    fileInstructions: parent.fileInstructions.forThread(),
    log,
    modelName: model === undefined || model === 'inherit' ? parent.modelName : fullModelName(model),
    contextTokens: 0,
    systemPrompt: () => [
      definition.prompt,
      `${NOTES}\n\nWorking directory: ${parent.toolSession.originalCwd}`,
    ],
    tools: () => toolsFor(definition, parent.tools()),
    maxTurns: definition.maxTurns ?? Number.POSITIVE_INFINITY,
    inbox: [],
    denials: parent.denials,
    onToolUse,
    structured: { isWanted: false, value: undefined },
  };
}

function toolsFor({ tools: wanted, disallowedTools = [] }: AgentDefinition, all: readonly Tool[]): Tool[] {
  const names = wanted?.map(toolName);
  const unwanted = new Set([...NOT_FOR_SUB_AGENTS, ...disallowedTools.map(toolName)]);
  return all.filter(({ name }) => !unwanted.has(name) && (names?.some((want) => covers(want, name)) ?? true));
}

/** `Bash(git:*)` offers Bash; what may be done with it is for the permissions. */
function toolName(rule: string): string {
  return rule.replace(/\(.*$/s, '').trim();
}

function covers(wanted: string, name: string): boolean {
  return wanted === '*' || wanted === name || name.startsWith(`${wanted}__`);
}

/** What a person chose for the session (to plan, not to be asked, to accept edits) holds for its sub-agents. */
function modeFor(
  core: SessionCore,
  { toolSession }: Thread,
  { name, permissionMode = 'default' }: AgentDefinition,
): () => PermissionMode {
  let ownMode: PermissionMode = 'default';
  try {
    core.permissions.assertAllowed(permissionMode);
    ownMode = permissionMode;
  } catch (error) {
    core.onProblem({ message: `The agent ${name}: ${messageOf(error)}.` });
  }
  return () => (toolSession.mode === 'default' ? ownMode : toolSession.mode);
}

function sidechainLog(core: SessionCore, parent: Thread, agentId: string): SessionLog {
  const { file, onWritten } = parent.log;
  if (file === undefined) return new NoTranscript();
  const cwd = parent.toolSession.originalCwd;
  return new Transcript({
    file: `${file.replace(/\.jsonl$/, '')}/subagents/agent-${agentId}.jsonl`,
    sessionId: core.id,
    cwd,
    gitBranch: gitBranch(cwd),
    onWritten,
    marks: { isSidechain: true, agentId },
    onError: (problem) => core.onProblem(problem),
  });
}
