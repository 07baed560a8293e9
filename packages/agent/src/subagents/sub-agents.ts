import { aborted } from '../base/aborted.ts';
import { ToolFailure } from '../base/tool-failure.ts';
import { type SessionCore, spokenIn, stamp } from '../loop/session-core.ts';
import { tellTaskEnd } from '../loop/tell-task-end.ts';
import { say, type Thread } from '../loop/thread.ts';
import { noTokens, type TokenCount } from '../loop/token-count.ts';
import { Turn } from '../loop/turn.ts';
import type { Ending } from '../loop/turn-result.ts';
import type { AgentCatalog } from '../project/agent-catalog.ts';
import type { StoppedBy, TaskRegistry } from '../tasks/task-registry.ts';
import { noteAgentMeta } from './agent-meta.ts';
import { subAgentThread } from './sub-agent-thread.ts';

/** How many sub-agents that are done can be called again. */
const MAX_REMEMBERED = 50;

/** What a sub-agent is to do. */
export interface Assignment {
  description: string;
  prompt: string;
  type: string;
  model?: string | undefined;
  /** The id of one that worked before, to go on with what it knows. */
  resume?: string | undefined;
  isBackground: boolean;
  /** What the model said about the background, if anything. */
  askedBackground?: boolean | undefined;
}

/** What a sub-agent has to say when it is done. */
export interface AgentReport {
  agentId: string;
  status: 'completed' | 'failed' | 'stopped';
  text: string;
  tokens: number;
  toolUses: number;
  durationMs: number;
  usage: TokenCount;
  /** Who worked: which agent, on which model, with which tools. */
  agentType: string;
  resolvedModel: string;
  toolsUsed: readonly string[];
}

/** A sub-agent at work. */
export interface RunningAgent {
  readonly agentId: string;
  /** Where its conversation is taken down. */
  readonly file: string | undefined;
  readonly report: Promise<AgentReport>;
}

/** Starts sub-agents for a thread, and remembers those that are done. */
export class SubAgents {
  readonly #core: SessionCore;
  readonly #parent: Thread;
  readonly catalog: AgentCatalog;
  readonly #threads = new Map<string, Thread>();
  /** What each is doing at the moment. One conversation cannot go on in two ways: the next piece of work waits. */
  readonly #working = new Map<string, Promise<unknown>>();

  constructor(core: SessionCore, parent: Thread, catalog: AgentCatalog) {
    this.#core = core;
    this.#parent = parent;
    this.catalog = catalog;
  }

  /** Begin. Throws, in words for the model, when there is no such agent. */
  async start(assignment: Assignment, toolUseId: string, signal: AbortSignal): Promise<RunningAgent> {
    const agentId = assignment.resume ?? `a${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const progress = { toolUses: 0, startedAt: performance.now() };
    const toolsUsed = new Set<string>();
    const thread =
      this.#remembered(assignment.resume) ??
      subAgentThread(this.#core, this.#parent, this.#definition(assignment.type), {
        agentId,
        toolUseId,
        task: assignment.description,
        model: assignment.model,
        onToolUse: (name) => {
          progress.toolUses += 1;
          toolsUsed.add(name);
          void this.#tellProgress(thread, assignment, progress, name);
        },
      });
    this.#remember(agentId, thread);
    const { isBackground, askedBackground: asked } = assignment;
    this.#core.subAgentStats.starts(thread.agent?.type ?? '', { asked, isBackground });
    const report = this.#afterOthers(agentId, signal, async () => {
      await this.#noteMeta(thread, false);
      await this.#tellStart(thread, assignment);
      progress.startedAt = performance.now();
      const done = await this.#work(thread, assignment, progress.startedAt, signal);
      return { ...done, toolsUsed: [...toolsUsed] };
    });
    return { agentId, file: thread.log.file, report };
  }

  async #afterOthers(
    agentId: string,
    signal: AbortSignal,
    work: () => Promise<AgentReport>,
  ): Promise<AgentReport> {
    const others = this.#working.get(agentId);
    const report = (async () => {
      if (others) await Promise.race([others.catch(() => {}), aborted(signal)]);
      return others && signal.aborted ? notBegun(agentId) : work();
    })();
    this.#working.set(agentId, report);
    try {
      return await report;
    } finally {
      if (this.#working.get(agentId) === report) this.#working.delete(agentId);
    }
  }

  /** Throws, in words for the model, when too many run in the background. */
  assertRoom(tasks: TaskRegistry): void {
    try {
      tasks.assertRoom();
    } catch (error) {
      this.#core.subAgentStats.hasNoRoom();
      throw error;
    }
  }

  /** Whether an agent is made to work in the background. */
  isBackground(type: string): boolean {
    return this.catalog.find(type)?.background === true;
  }

  #definition(type: string) {
    const definition = this.catalog.find(type);
    if (definition) return definition;
    const names = this.catalog.list().map(({ name }) => name);
    throw new ToolFailure(`There is no agent "${type}". There are: ${names.join(', ')}.`);
  }

  #remembered(agentId: string | undefined): Thread | undefined {
    if (agentId === undefined) return undefined;
    const thread = this.#threads.get(agentId);
    if (!thread) throw new ToolFailure(`The agent ${agentId} is not known any more. Start a new one.`);
    return thread;
  }

  #remember(agentId: string, thread: Thread): void {
    this.#threads.delete(agentId);
    this.#threads.set(agentId, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > MAX_REMEMBERED && oldest !== undefined) this.#threads.delete(oldest);
  }

  async #work(
    thread: Thread,
    { prompt, isBackground }: Assignment,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<Omit<AgentReport, 'toolsUsed'>> {
    const { hooks, subAgentStats } = this.#core;
    const agent = thread.agent && { agent_id: thread.agent.id, agent_type: thread.agent.type };
    const content = [{ type: 'text' as const, text: prompt }];
    thread.history.addPrompt([...content]);
    await say(this.#core, thread, {
      type: 'user',
      message: { role: 'user', content },
      ...spokenIn(thread, this.#core),
    });
    if (agent && hooks.has('SubagentStart')) {
      const heard = await hooks.run('SubagentStart', agent, { signal, matchOn: agent.agent_type, agent });
      for (const note of heard.additionalContext) thread.history.addNote(note);
    }
    const turn = new Turn(this.#core, thread, signal);
    const ending = await turn.run();
    thread.history.answerOpenCalls('The tool was not run: the agent ended before.');
    await thread.log.flush();
    await this.#noteMeta(thread, true);
    const report = {
      agentId: thread.agent?.id ?? '',
      ...outcomeOf(ending),
      tokens: thread.contextTokens,
      toolUses: turn.count.toolUses,
      durationMs: Math.round(performance.now() - startedAt),
      usage: turn.count.turn.usage,
      agentType: thread.agent?.type ?? '',
      resolvedModel: thread.modelName,
    };
    subAgentStats.ends(report.status, stoppedBy(signal));
    if (!isBackground)
      await tellTaskEnd(this.#core, { ...report, ...taskFields(thread), file: thread.log.file });
    return report;
  }

  #noteMeta(thread: Thread, isFinished: boolean): Promise<void> {
    const isBuiltIn = this.catalog.find(thread.agent?.type ?? '')?.source === 'built-in';
    return noteAgentMeta(this.#core, thread, { isBuiltIn, isFinished });
  }

  #tellStart(thread: Thread, { description, prompt, isBackground }: Assignment): Promise<void> {
    return this.#core.send({
      type: 'system',
      subtype: 'task_started',
      ...taskFields(thread),
      description,
      task_type: 'local_agent',
      subagent_type: thread.agent?.type ?? '',
      is_backgrounded: isBackground,
      spawn_depth: 1,
      prompt,
      ...stamp(this.#core),
    });
  }

  #tellProgress(
    thread: Thread,
    { description }: Assignment,
    { toolUses, startedAt }: { toolUses: number; startedAt: number },
    lastTool: string,
  ): Promise<void> {
    return this.#core.send({
      type: 'system',
      subtype: 'task_progress',
      ...taskFields(thread),
      description,
      subagent_type: thread.agent?.type ?? '',
      usage: {
        total_tokens: thread.contextTokens,
        tool_uses: toolUses,
        duration_ms: Math.round(performance.now() - startedAt),
      },
      last_tool_name: lastTool,
      ...stamp(this.#core),
    });
  }
}

function notBegun(agentId: string): AgentReport {
  const nothing = { tokens: 0, toolUses: 0, durationMs: 0, usage: noTokens(), toolsUsed: [] };
  const nobody = { agentType: '', resolvedModel: '' };
  return { agentId, ...outcomeOf({ how: 'interrupted', during: 'tools' }), ...nothing, ...nobody };
}

/** A task says who ended it; an interrupt is a person's. */
function stoppedBy({ reason }: AbortSignal): StoppedBy {
  return reason === 'parent' || reason === 'system' ? reason : 'user';
}

function taskFields({ agent, parentToolUseId }: Thread) {
  return { task_id: agent?.id ?? '', ...(parentToolUseId === null ? {} : { tool_use_id: parentToolUseId }) };
}

function outcomeOf(ending: Ending): Pick<AgentReport, 'status' | 'text'> {
  switch (ending.how) {
    case 'done':
      return { status: 'completed', text: ending.text };
    case 'stopped':
      return { status: 'completed', text: ending.reason };
    case 'interrupted':
      return { status: 'stopped', text: 'The agent was interrupted.' };
    case 'api-error':
      return { status: 'failed', text: ending.text };
    case 'max-turns':
      return { status: 'failed', text: `The agent reached its limit of ${ending.maxTurns} turns.` };
    case 'max-budget':
      return { status: 'failed', text: 'The budget of the session is used up.' };
    case 'no-structured-output':
      return { status: 'failed', text: 'The agent gave no structured answer.' };
    case 'failed':
      return { status: 'failed', text: ending.error.message };
  }
}
