import type { JsonObject } from '@signalbox/protocol';
import { PROTOCOL_VERSION } from '../base/version.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import { isThinking } from '../loop/model-request.ts';
import { modelFacts } from '../model/prices.ts';
import { modelTitle } from './models.ts';

/** Models with more room than this cost more beyond it, and status lines warn. */
const USUAL_WINDOW = 200_000;

/** What a status line is told about a session, in the words of `claude`. */
export function statusInput({ core, thread, extensions, promptId }: AgentSession): JsonObject {
  const { accounting, options, permissions } = core;
  const { toolSession } = thread;
  const promptCache = thread.promptCache?.facts(Date.now());
  return {
    session_id: core.id,
    transcript_path: thread.log.file ?? '',
    cwd: toolSession.cwd,
    ...(promptId === undefined ? {} : { prompt_id: promptId }),
    ...(options.effort === undefined ? {} : { effort: { level: options.effort } }),
    model: { id: thread.modelName, display_name: modelTitle(thread.modelName) },
    workspace: {
      current_dir: toolSession.cwd,
      project_dir: toolSession.originalCwd,
      added_dirs: permissions.directories,
    },
    version: PROTOCOL_VERSION,
    output_style: { name: extensions.outputStyle.name },
    cost: {
      total_cost_usd: accounting.costUsd,
      total_duration_ms: Math.round(accounting.durationMs),
      total_api_duration_ms: Math.round(accounting.apiMs),
      total_lines_added: accounting.linesAdded,
      total_lines_removed: accounting.linesRemoved,
    },
    ...contextFields(thread),
    ...(promptCache ? { prompt_cache: promptCache } : {}),
    fast_mode: false,
    thinking: { enabled: isThinking(core) },
  };
}

/** Of the last reply: there is none yet, or the conversation was emptied since, where the context counts nothing. */
function contextFields({ contextTokens, lastUsage, modelName }: AgentSession['thread']): JsonObject {
  const { contextWindow } = modelFacts(modelName);
  const usage = contextTokens > 0 ? lastUsage : undefined;
  const input = usage ? contextTokens - usage.output_tokens : 0;
  const used = Math.min(100, Math.round((input / contextWindow) * 100));
  return {
    context_window: {
      total_input_tokens: input,
      total_output_tokens: usage?.output_tokens ?? 0,
      context_window_size: contextWindow,
      current_usage: usage ?? null,
      used_percentage: usage ? used : null,
      remaining_percentage: usage ? 100 - used : null,
    },
    exceeds_200k_tokens: contextTokens > USUAL_WINDOW,
  };
}
