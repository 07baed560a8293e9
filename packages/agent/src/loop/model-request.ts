import type { ModelRequest } from '../model/model-client.ts';
import { modelFacts } from '../model/prices.ts';
import type { SessionCore } from './session-core.ts';
import type { Thread } from './thread.ts';

/** What is asked for when nobody says how long a reply may be. */
const DEFAULT_MAX_TOKENS = 32_000;

/** The API takes no smaller thinking budget. */
const LEAST_THINKING_TOKENS = 1024;

/** The request for the next reply: the conversation so far, with everything up to its end to be cached. */
export function modelRequest(core: SessionCore, thread: Thread): ModelRequest {
  const { options } = core;
  const { modelName } = thread;
  const maxTokens = Math.min(modelFacts(modelName).maxOutputTokens, DEFAULT_MAX_TOKENS);
  return {
    model: modelName,
    max_tokens: maxTokens,
    system: systemBlocks(thread.systemPrompt()),
    messages: thread.history.forRequest(),
    tools: thread.tools().map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.inputSchema(),
    })),
    ...thinking(core, maxTokens),
    ...(core.effort === undefined ? {} : { output_config: { effort: core.effort } }),
    ...(options.betas.length > 0 ? { betas: [...options.betas] } : {}),
  };
}

/** All of it is cached up to its end: what changes rarely comes first. */
function systemBlocks(parts: readonly string[]): NonNullable<ModelRequest['system']> {
  return parts.filter(Boolean).map((text, at, all) => ({
    type: 'text' as const,
    text,
    ...(at === all.length - 1 ? { cache_control: { type: 'ephemeral' as const } } : {}),
  }));
}

/** Whether the model is asked to think before it answers. */
export function isThinking(core: SessionCore): boolean {
  return thinking(core, DEFAULT_MAX_TOKENS).thinking !== undefined;
}

function thinking(
  { options, maxThinkingTokens }: SessionCore,
  maxTokens: number,
): Pick<ModelRequest, 'thinking'> {
  if (options.thinking === 'disabled' || maxThinkingTokens === 0) return {};
  if (maxThinkingTokens !== undefined) {
    const budget_tokens = Math.min(Math.max(maxThinkingTokens, LEAST_THINKING_TOKENS), maxTokens - 1);
    return { thinking: { type: 'enabled', budget_tokens } };
  }
  return options.thinking === 'adaptive' ? { thinking: { type: 'adaptive' } } : {};
}
