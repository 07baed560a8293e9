import type { ModelRequest } from '../model/model-client.ts';
import { modelFacts } from '../model/prices.ts';
import type { SessionCore } from './session-core.ts';

/** What is asked for when nobody says how long a reply may be. */
const DEFAULT_MAX_TOKENS = 32_000;

/** The API takes no smaller thinking budget. */
const LEAST_THINKING_TOKENS = 1024;

/** The request for the next reply: the conversation so far, with everything up to its end to be cached. */
export function modelRequest(core: SessionCore): ModelRequest {
  const { options, modelName } = core;
  const maxTokens = Math.min(modelFacts(modelName).maxOutputTokens, DEFAULT_MAX_TOKENS);
  return {
    model: modelName,
    max_tokens: maxTokens,
    system: [{ type: 'text', text: core.systemPrompt, cache_control: { type: 'ephemeral' } }],
    messages: core.history.forRequest(),
    tools: core.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.inputSchema(),
    })),
    ...thinking(core, maxTokens),
    ...(options.effort === undefined ? {} : { output_config: { effort: options.effort } }),
    ...(options.betas.length > 0 ? { betas: [...options.betas] } : {}),
  };
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
