import { isJsonObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '@signalbox/protocol';
import type { EntryMessage } from '@signalbox/protocol/hub';

/** What an agent has told of its model by what it said, as far as a page has heard it. */
export interface AgentFacts {
  /** The tokens of the conversation, as the model last counted them. */
  contextTokens: number | undefined;
  /** How many the model takes. */
  contextWindow: number | undefined;
  /** What people have set; undefined: as its settings say. */
  thinking: 'on' | 'off' | undefined;
}

export const NO_FACTS: AgentFacts = {
  contextTokens: undefined,
  contextWindow: undefined,
  thinking: undefined,
};

/** The facts after an entry of the record. */
export function factsAfter(
  facts: AgentFacts,
  { author = { by: 'agent' }, message }: EntryMessage,
): AgentFacts {
  if (!isJsonObject(message)) return facts;
  const { type, subtype } = message;
  const name = `${textAt(message, 'type')}/${textAt(message, 'subtype')}`;
  if (type === 'hub' && subtype === 'request') return afterRequest(facts, objectAt(message, 'request'));
  if (name === 'bridge/started') return { ...facts, thinking: undefined };
  // How full it is from here on is told with the next reply.
  if (name === 'system/compact_boundary' || name === 'hub/rotated' || type === 'conversation_reset')
    return { ...facts, contextTokens: undefined };
  if (author.by !== 'agent') return facts;
  if (type === 'assistant' && textAt(message, 'parent_tool_use_id') === '') return afterReply(facts, message);
  if (type === 'result') return afterTurn(facts, message);
  return facts;
}

function afterRequest(facts: AgentFacts, request: JsonObject): AgentFacts {
  if (request.subtype === 'set_model') return { ...facts, contextWindow: undefined };
  if (request.subtype !== 'set_max_thinking_tokens') return facts;
  const { max_thinking_tokens: tokens } = request;
  return { ...facts, thinking: tokens === null ? undefined : tokens === 0 ? 'off' : 'on' };
}

/** A reply that came from nowhere, such as an error, counts nothing. */
function afterReply(facts: AgentFacts, message: JsonObject): AgentFacts {
  const usage = objectAt(objectAt(message, 'message'), 'usage');
  const parts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'];
  const tokens = parts.reduce((sum, part) => sum + (numberAt(usage, part) ?? 0), 0);
  return tokens === 0 ? facts : { ...facts, contextTokens: tokens };
}

/** Models of sub-agents are listed as well; the one with the most input leads the conversation. */
function afterTurn(facts: AgentFacts, message: JsonObject): AgentFacts {
  const models = Object.values(objectAt(message, 'modelUsage')).filter(isJsonObject);
  const [main] = models.toSorted((one, other) => inputOf(other) - inputOf(one));
  const contextWindow = numberAt(main, 'contextWindow') ?? facts.contextWindow;
  return { ...facts, contextWindow };
}

function inputOf(usage: JsonObject): number {
  return (numberAt(usage, 'inputTokens') ?? 0) + (numberAt(usage, 'cacheReadInputTokens') ?? 0);
}

/** A model that an agent offers. */
export interface OfferedModel {
  value: string;
  title: string;
  description: string;
}

/** The models in an agent's answer to `list_models`. */
export function modelsIn(answer: unknown): OfferedModel[] {
  return listAt(answer, 'models').flatMap((model) => {
    const value = textAt(model, 'value');
    if (value === '') return [];
    return [
      { value, title: textAt(model, 'displayName') || value, description: textAt(model, 'description') },
    ];
  });
}
