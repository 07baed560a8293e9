import { anyObject, echoed, expected, type Inbound, number, object, optional, text } from './wire.ts';

const fields = {
  cache_creation_input_tokens: optional(number),
  cache_read_input_tokens: optional(number),
  cache_creation: optional(anyObject),
  server_tool_use: optional(anyObject),
  output_tokens_details: optional(anyObject),
  service_tier: optional(text),
};

export const usage = echoed(
  object({ input_tokens: expected(number), output_tokens: expected(number), ...fields }),
);

/** What `message_delta` counts: only what changed. */
export const usageDelta = echoed(
  object({
    input_tokens: optional(number),
    output_tokens: expected(number),
    ...fields,
  }),
);

export const modelUsage = object({
  inputTokens: expected(number),
  outputTokens: expected(number),
  cacheReadInputTokens: expected(number),
  cacheCreationInputTokens: expected(number),
  webSearchRequests: expected(number),
  costUSD: expected(number),
  contextWindow: expected(number),
  maxOutputTokens: optional(number),
  thinkingTokens: optional(number),
  cacheCreationEphemeral5mInputTokens: optional(number),
  cacheCreationEphemeral1hInputTokens: optional(number),
  canonicalModel: optional(text),
  provider: optional(text),
  costBasis: optional(text),
});

/** Tokens as the Messages API counts them. */
export type Usage = Inbound<typeof usage>;

/** Tokens and cost of one model, as a result sums them up. */
export type ModelUsage = Inbound<typeof modelUsage>;
