import * as z from 'zod/mini';
import { ToolFailure } from '../base/tool-failure.ts';
import { defineTool, type Tool, type ToolResult } from '../tools/tool.ts';
import { AgentTask } from './agent-task.ts';
import type { AgentReport, RunningAgent, SubAgents } from './sub-agents.ts';

const input = z.object({
  description: z.string(),
  prompt: z.string(),
  subagent_type: z.optional(z.string()),
  model: z.optional(z.string()),
  resume: z.optional(z.string()),
  run_in_background: z.optional(z.boolean()),
});

/** The tool that hands a piece of work to a sub-agent. Changes nothing by itself: the sub-agent's calls are asked for. */
export function taskTool(agents: SubAgents): Tool {
  const tool = defineTool({
    name: 'Task',
    aliases: ['Agent'],
    description: '',
    input,
    isReadOnly: true,
    async run(
      { subagent_type: type = 'general-purpose', run_in_background: askedBackground, ...rest },
      context,
    ) {
      const { session, toolUseId, signal } = context;
      const isBackground = askedBackground === true || agents.isBackground(type);
      const assignment = { ...rest, type, isBackground, askedBackground };
      if (!assignment.isBackground) {
        const running = await agents.start(assignment, toolUseId, signal);
        return finished(await running.report, assignment.prompt);
      }
      agents.assertRoom(session.tasks);
      const controller = new AbortController();
      const running = await agents.start(assignment, toolUseId, controller.signal);
      session.tasks.add(new AgentTask(running, { description: rest.description, toolUseId, controller }));
      return launched(running, rest.description, assignment.prompt);
    },
  });
  return {
    ...tool,
    // Hosts add agents after the session has begun.
    get description() {
      return describe(agents);
    },
  };
}

function describe(agents: SubAgents): string {
  const list = agents.catalog.list().map(({ name, description }) => `- ${name}: ${description}`);
  return `Hand a piece of work to another agent, which has its own conversation and tools. Good for searches and for work that would fill this conversation. It knows nothing of what was said here: the prompt must say everything. You get its last message. Several calls in one reply run side by side. With run_in_background you go on at once and are told when it is done; with resume, the id of an agent that worked before, it goes on with what it knows.

The agents:
${list.join('\n')}`;
}

function finished(report: AgentReport, prompt: string): ToolResult {
  const { agentId, status, text, tokens, toolUses, durationMs, usage } = report;
  const { agentType, resolvedModel, toolsUsed } = report;
  // Stopped by a person who refused one of its calls, not by an interrupt: they meant all of it.
  if (status === 'stopped') return { content: text, isError: true, endsTurn: true };
  if (status === 'failed') throw new ToolFailure(text);
  const content = [{ type: 'text' as const, text }];
  const note = `agentId: ${agentId} (to go on with this agent, pass it as resume)
<usage>total_tokens: ${tokens}
tool_uses: ${toolUses}
duration_ms: ${durationMs}</usage>`;
  return {
    content: [...content, { type: 'text', text: note }],
    structured: {
      status,
      prompt,
      agentId,
      agentType,
      resolvedModel,
      toolsUsed,
      content,
      totalDurationMs: durationMs,
      totalTokens: tokens,
      totalToolUseCount: toolUses,
      usage,
    },
  };
}

function launched({ agentId, file }: RunningAgent, description: string, prompt: string): ToolResult {
  const outputFile = file ?? '';
  return {
    content: `The agent works in the background. Its id is ${agentId}; you will be told when it is done. Go on with something else.`,
    structured: { isAsync: true, status: 'async_launched', agentId, description, prompt, outputFile },
  };
}
