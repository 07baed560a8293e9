import type Anthropic from '@anthropic-ai/sdk';
import { modelFacts } from '../model/prices.ts';

/** Tokens of one reply, or of many. */
export type TokenCount = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

/** What was used and what it cost, in total and by model. */
export class Accounting {
  readonly #byModel = new Map<string, TokenCount>();

  add(model: string, tokens: TokenCount): void {
    const sum = this.#byModel.get(model) ?? noTokens();
    this.#byModel.set(model, addTokens(sum, tokens));
  }

  get usage(): TokenCount {
    return [...this.#byModel.values()].reduce(addTokens, noTokens());
  }

  get costUsd(): number {
    return Array.from(this.#byModel, ([model, tokens]) => costUsd(model, tokens)).reduce(
      (sum, cost) => sum + cost,
      0,
    );
  }

  get modelUsage() {
    return Object.fromEntries(
      Array.from(this.#byModel, ([model, tokens]) => {
        const { contextWindow, maxOutputTokens } = modelFacts(model);
        return [
          model,
          {
            inputTokens: tokens.input_tokens,
            outputTokens: tokens.output_tokens,
            cacheReadInputTokens: tokens.cache_read_input_tokens,
            cacheCreationInputTokens: tokens.cache_creation_input_tokens,
            webSearchRequests: 0,
            costUSD: costUsd(model, tokens),
            contextWindow,
            maxOutputTokens,
          },
        ];
      }),
    );
  }
}

/** The counts of an API answer, where it leaves some out. */
export function tokensOf(usage: Partial<Anthropic.Usage> | Anthropic.MessageDeltaUsage): TokenCount {
  return {
    input_tokens: usage.input_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    cache_creation_input_tokens: usage.cache_creation_input_tokens ?? 0,
    cache_read_input_tokens: usage.cache_read_input_tokens ?? 0,
  };
}

export function noTokens(): TokenCount {
  return tokensOf({});
}

function addTokens(a: TokenCount, b: TokenCount): TokenCount {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}

function costUsd(model: string, tokens: TokenCount): number {
  const price = modelFacts(model);
  const millionths =
    tokens.input_tokens * price.input +
    tokens.output_tokens * price.output +
    tokens.cache_creation_input_tokens * price.cacheWrite +
    tokens.cache_read_input_tokens * price.cacheRead;
  return millionths / 1_000_000;
}
