/** What agents tell beside the conversation: of their models, tasks, memory and disks. */

import type { Envelope } from './envelope.ts';
import type { ModelUsage } from './model-usage.ts';

type News<S extends string, Fields> = Envelope & { type: 'system'; subtype: S } & Fields;

/** The goal that a session works towards; null when it has none any more. */
export type SDKActiveGoalMessage = Envelope & {
  type: 'active_goal';
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
};
/** All that goes on in the background now. */
export type SDKBackgroundTasksChangedMessage = News<
  'background_tasks_changed',
  {
    tasks: {
      task_id: string;
      run_id?: string;
      task_type: string;
      subagent_type?: string;
      description: string;
      parent_task_id?: string;
      ambient?: boolean;
    }[];
  }
>;
/** A control request takes long, because the model has to be asked. */
export type SDKControlRequestProgressMessage = News<
  'control_request_progress',
  {
    request_id: string;
    status: 'started' | 'api_retry';
    attempt?: number;
    max_retries?: number;
    retry_delay_ms?: number;
    error_status?: number | null;
  }
>;
/** The user has finished what an MCP server asked for elsewhere. */
export type SDKElicitationCompleteMessage = News<
  'elicitation_complete',
  { mcp_server_name: string; elicitation_id: string }
>;
/** The agent remembered something. */
export type SDKMemoryRecallMessage = News<
  'memory_recall',
  {
    mode: 'select' | 'synthesize';
    memories: { path: string; scope: 'personal' | 'team' | 'organization'; content?: string }[];
  }
>;
interface Refusal {
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
}
/** A model refused, and another one took its place. */
export type SDKModelRefusalFallbackMessage = News<
  'model_refusal_fallback',
  Refusal & {
    trigger: 'refusal';
    direction: 'retry' | 'revert' | 'sticky';
    scope?: 'session' | 'local';
    fallback_model: string;
    retracted_message_uuids?: string[];
  }
>;
/** A model refused, and there is no other. */
export type SDKModelRefusalNoFallbackMessage = News<'model_refusal_no_fallback', Refusal>;
/** How far the installation of a plugin is. */
export type SDKPluginInstallMessage = News<
  'plugin_install',
  { status: 'started' | 'installed' | 'failed' | 'completed'; name?: string; error?: string }
>;
/** The disk is full: what is named here was not kept. */
export type SDKSessionWritesLostMessage = News<
  'session_writes_lost',
  {
    error_code: 'ENOSPC' | 'EDQUOT';
    lost: ('transcript' | 'global_config')[];
    transcript_session_ids?: string[];
  }
>;
/** The machine that the agent runs on is about to take it down. */
export type SDKWorkerShuttingDownMessage = News<'worker_shutting_down', { reason: string }>;

export interface SDKContextUsageCategory {
  name: string;
  tokens: number;
  kind: 'used' | 'free' | 'buffer' | 'deferred';
}
/** What fills the context window, as a reply tells it. */
export interface SDKContextUsage {
  model: string;
  total_tokens: number;
  raw_max_tokens: number;
  percentage: number;
  over_limit?: { tokens_over: number; kind: 'hard_limit' | 'compaction_window' };
  categories: SDKContextUsageCategory[];
  mcp_tools: { name: string; server_name: string; tokens: number }[];
  memory_files: { path: string; type: string; tokens: number }[];
  agents: { agent_type: string; source: string; tokens: number }[];
  skills?: { name: string; source: string; plugin_name?: string; tokens: number }[];
}

/** What a session has used so far. */
export interface SessionTotals {
  total_cost_usd: number;
  total_api_duration_ms: number;
  total_duration_ms: number;
  total_lines_added: number;
  total_lines_removed: number;
  model_usage: Record<string, ModelUsage>;
}
/** What may be used beyond the limits of an account. */
export interface ExtraUsage {
  is_enabled: boolean;
  monthly_limit: number | null;
  used_credits: number | null;
  utilization: number | null;
  currency?: string | null;
}
/** What a session has used, and what its account has left, as a reply tells it. */
export interface SDKUsageReport {
  session: SessionTotals;
  rate_limits: {
    limits:
      | {
          kind: string;
          group: string;
          percent: number;
          resets_at: string | null;
          scope?: {
            model?: { display_name: string } | null;
            surface?: { display_name: string } | null;
          } | null;
          severity: string;
          is_active: boolean;
        }[]
      | null;
    extra_usage?: ExtraUsage | null;
  } | null;
}
