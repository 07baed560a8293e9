/** The tools that run commands, sub-agents and tasks, now or later. */

export interface BashInput {
  command: string;
  timeout?: number;
  description?: string;
  run_in_background?: boolean;
  dangerouslyDisableSandbox?: boolean;
}
export interface BashOutput {
  stdout: string;
  stderr: string;
  interrupted: boolean;
  isImage?: boolean;
  rawOutputPath?: string;
  backgroundTaskId?: string;
  backgroundedByUser?: boolean;
  timedOutAfterMs?: number;
  backgroundCwdHint?: string;
  backgroundEndsWithFinalResponse?: true;
  backgroundWakesOwner?: true;
  dangerouslyDisableSandbox?: boolean;
  /** What the exit code means, where it is no failure. */
  returnCodeInterpretation?: string;
  noOutputExpected?: boolean;
  structuredContent?: unknown[];
  /** Where the whole output lies, when it was too long. */
  persistedOutputPath?: string;
  persistedOutputSize?: number;
  staleReadFileStateHint?: string;
  ghRateLimitHint?: string;
  gitOperation?: {
    commit?: { sha: string; kind: 'committed' | 'amended' | 'cherry-picked'; branch?: string };
    push?: { branch: string };
    branch?: { ref: string; action: 'merged' | 'rebased' };
    pr?: {
      number: number;
      url?: string;
      action:
        | 'created'
        | 'edited'
        | 'merged'
        | 'commented'
        | 'closed'
        | 'reopened'
        | 'ready'
        | 'draft'
        | 'auto-merge-enabled'
        | 'auto-merge-disabled';
    };
  };
}

export interface AgentInput {
  description: string;
  prompt: string;
  subagent_type?: string;
  model?: 'sonnet' | 'opus' | 'haiku' | 'fable';
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  run_in_background?: boolean;
  name?: string;
  team_name?: string;
  mode?: 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';
  isolation?: 'worktree' | 'remote';
}
interface ModelsOfAgent {
  resolvedModel?: string;
  modelsUsed?: string[];
}
/** What became of a sub-agent: done, or at work in the background. */
export type AgentOutput =
  | (ModelsOfAgent & {
      status: 'completed';
      agentId: string;
      agentType?: string;
      prompt: string;
      content: { type: 'text'; text: string; citations?: unknown[] | null }[];
      totalToolUseCount: number;
      totalDurationMs: number;
      totalTokens: number;
      usage: {
        input_tokens: number;
        output_tokens: number;
        cache_creation_input_tokens: number | null;
        cache_read_input_tokens: number | null;
        server_tool_use: { web_search_requests: number; web_fetch_requests: number } | null;
        service_tier: string | null;
        cache_creation: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
        inference_geo?: string | null;
        speed?: string | null;
        iterations?: unknown;
        output_tokens_details?: { thinking_tokens?: number | null } | null;
        fallback_credit?: unknown;
      };
      toolsUsed?: string[];
      toolStats?: {
        readCount: number;
        searchCount: number;
        bashCount: number;
        editFileCount: number;
        linesAdded: number;
        linesRemoved: number;
        otherToolCount: number;
        frameCount?: number;
      };
      worktreePath?: string;
      worktreeBranch?: string;
    })
  | (ModelsOfAgent & {
      status: 'async_launched';
      isAsync?: true;
      agentId: string;
      description: string;
      prompt: string;
      outputFile: string;
      canReadOutputFile?: boolean;
    })
  | {
      status: 'remote_launched';
      taskId: string;
      sessionUrl: string;
      description: string;
      prompt: string;
      outputFile: string;
    };

/** Of older agents: what a task in the background has said. */
export interface TaskOutputInput {
  task_id: string;
  block: boolean;
  timeout: number;
}
export interface TaskStopInput {
  task_id?: string;
  shell_id?: string;
}
export interface TaskStopOutput {
  message: string;
  task_id: string;
  task_type: string;
  command?: string;
}

type Progress = 'pending' | 'in_progress' | 'completed';
/** A point of the list that an agent works through. */
export interface Todo {
  content: string;
  status: Progress;
  activeForm: string;
}
export interface TodoWriteInput {
  todos: Todo[];
}
export interface TodoWriteOutput {
  oldTodos: Todo[];
  newTodos: Todo[];
}
export interface TaskCreateInput {
  subject: string;
  description: string;
  activeForm?: string;
  metadata?: Record<string, unknown>;
}
export interface TaskCreateOutput {
  task: { id: string; subject: string; description?: string };
}
export interface TaskGetInput {
  taskId: string;
}
export interface TaskGetOutput {
  task: {
    id: string;
    subject: string;
    description: string;
    status: Progress;
    blocks: string[];
    blockedBy: string[];
  } | null;
}
export interface TaskUpdateInput extends Partial<TaskCreateInput> {
  taskId: string;
  status?: Progress | 'deleted';
  addBlocks?: string[];
  addBlockedBy?: string[];
  owner?: string;
}
export interface TaskUpdateOutput {
  success: boolean;
  taskId: string;
  updatedFields: string[];
  error?: string;
  statusChange?: { from: string; to: string };
}
export type TaskListInput = object;
export interface TaskListOutput {
  tasks: { id: string; subject: string; status: Progress; owner?: string; blockedBy: string[] }[];
}

export interface WorkflowInput {
  script?: string;
  scriptPath?: string;
  name?: string;
  title?: string;
  description?: string;
  args?: Record<string, unknown>;
  resumeFromRunId?: string;
}
export interface WorkflowOutput {
  status: 'async_launched' | 'remote_launched';
  taskId: string;
  taskType?: 'local_workflow' | 'remote_agent';
  workflowName?: string;
  runId?: string;
  summary?: string;
  transcriptDir?: string;
  scriptPath?: string;
  sessionUrl?: string;
  warning?: string;
  error?: string;
}

export interface CronCreateInput {
  cron: string;
  prompt: string;
  recurring?: boolean;
  durable?: boolean;
}
interface CronTimes {
  id: string;
  humanSchedule: string;
  durable?: boolean;
  nextFireAt?: number;
}
export interface CronCreateOutput extends CronTimes {
  recurring: boolean;
}
export interface CronDeleteInput {
  id: string;
}
export interface CronDeleteOutput {
  id: string;
  endedLoopWakeup?: true;
}
export type CronListInput = object;
export interface CronListOutput {
  jobs: (CronTimes & { cron: string; prompt: string; recurring?: boolean })[];
}
export interface ScheduleWakeupInput {
  delaySeconds?: number;
  reason?: string;
  prompt?: string;
  stop?: boolean;
  noop?: boolean;
}
export interface ScheduleWakeupOutput {
  scheduledFor: number;
  clampedDelaySeconds: number;
  wasClamped: boolean;
  stopped?: boolean;
  cancelledWakeups?: number;
}
export interface MonitorInput {
  description: string;
  timeout_ms: number;
  command?: string;
  ws?: { url: string; protocols?: string[] };
}
export interface MonitorOutput {
  taskId: string;
  timeoutMs: number;
  persistent?: boolean;
}
