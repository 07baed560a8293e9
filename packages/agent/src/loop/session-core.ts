import type { OutboundAgentMessage } from '@signalbox/protocol';
import type { Effort } from '../base/efforts.ts';
import type { PermissionAsker } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { HookRunner } from '../hooks/hook-runner.ts';
import type { ModelClient } from '../model/model-client.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import type { FileCheckpoints } from '../session/file-checkpoints.ts';
import type { SessionLog } from '../session/transcript.ts';
import type { Accounting } from './accounting.ts';
import type { SubAgentStats } from './sub-agent-stats.ts';
import type { Thread } from './thread.ts';

/** Where a session is. It is there before the session, so that hooks and hosts can be told of it. */
export interface SessionState {
  /** A cleared conversation goes on under a new one. */
  id: string;
  /** A cleared conversation is written to a new one. */
  log: SessionLog;
  /** Where commands run; `cd` moves it. */
  cwd: string;
  /** Names the prompt that is being answered, for hooks. */
  promptId?: string;
}

/** What the threads of a session share. */
export interface SessionCore {
  readonly id: string;
  readonly options: AgentOptions;
  readonly model: ModelClient;
  readonly permissions: PermissionStore;
  readonly hooks: HookRunner;
  readonly env: NodeJS.ProcessEnv;
  accounting: Accounting;
  /** What of it an earlier run of the session has spent. */
  spentBeforeUsd: number;
  readonly subAgentStats: SubAgentStats;
  /** Absent when nobody can be asked for permission. */
  readonly asker: PermissionAsker | undefined;
  maxThinkingTokens: number | undefined;
  /** How hard the model is to try; undefined leaves it to the model. */
  effort: Effort | undefined;
  /** Whether the host hears what sub-agents say and think, beside what they do. */
  forwardsSubAgentText: boolean;
  /** Absent when files are not kept. */
  checkpoints: FileCheckpoints | undefined;
  /** One line for whoever reads stderr. */
  onProblem(problem: { message: string }): void;
  /** Tell the host. */
  send(message: OutboundAgentMessage): Promise<void>;
}

/** The fields that every message of a session carries. */
export function stamp(core: Pick<SessionCore, 'id'>) {
  return { session_id: core.id, uuid: crypto.randomUUID() };
}

/** The fields of what is said in a thread. */
export function saidIn(thread: Pick<Thread, 'parentToolUseId'>, core: Pick<SessionCore, 'id'>) {
  return { parent_tool_use_id: thread.parentToolUseId, ...stamp(core) };
}

/** The same of what belongs to the conversation, with when it is said, and who says it where it is a sub-agent. */
export function spokenIn(
  thread: Pick<Thread, 'parentToolUseId' | 'agent' | 'task'>,
  core: Pick<SessionCore, 'id'>,
) {
  const { agent, task } = thread;
  const said = { ...saidIn(thread, core), timestamp: new Date().toISOString() };
  if (!agent || task === undefined) return said;
  return { ...said, agent_id: agent.id, subagent_type: agent.type, task_description: task };
}
