import type { ModelRequest } from '../model/model-client.ts';
import { modelFacts, smallModel } from '../model/prices.ts';
import { withRetries } from '../model/retries.ts';
import type { SideAnswer, SideQuestion } from '../tools/tool-session.ts';
import { type Reply, ReplyReader } from './read-reply.ts';
import type { SessionCore } from './session-core.ts';

/** How long the answer to a tool's question may be. */
const MAX_ANSWER_TOKENS = 8192;

const UNHEARD = { onEvent: async () => {}, onBlock: async () => {} };

/** Ask the model something that is no part of a conversation. It is paid for, and nobody hears it being written. */
export async function askAside(
  core: SessionCore,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const reply = await withRetries(() => new ReplyReader(UNHEARD).read(core.model.stream(request, signal)), {
    env: core.env,
    signal,
    mayRetry: () => true,
    onRetry: async () => {},
  });
  core.accounting.add(reply.model, reply.usage);
  return reply;
}

/** Ask what a tool wants to know. */
export function askForTool(
  core: SessionCore,
  { system, prompt, serverTools = [], isSmall = false }: SideQuestion,
  modelName: string,
  signal: AbortSignal,
): Promise<SideAnswer> {
  const model = isSmall ? smallModel(core.env) : modelName;
  const request = {
    model,
    max_tokens: Math.min(MAX_ANSWER_TOKENS, modelFacts(model).maxOutputTokens),
    system,
    messages: [{ role: 'user' as const, content: prompt }],
    ...(serverTools.length > 0 ? { tools: [...serverTools] } : {}),
  };
  return askAside(core, request, signal);
}
