import { canonicalName, isPriced, MODEL_PROVIDER, modelFacts } from '../model/prices.ts';
import { addTokens, filledContext, noTokens, type TokenCount, tokensSince } from './token-count.ts';

/** What is kept in the cache for an hour costs so many times what five minutes cost. */
const LONG_WRITE = 1.6;

/** What was used and what it cost, in total and by model, and what was done for it. */
export class Accounting {
  readonly #byModel: Map<string, TokenCount>;
  readonly #startedAt = performance.now();
  /** How long the model took to answer. */
  apiMs = 0;
  linesAdded = 0;
  linesRemoved = 0;

  constructor(byModel: Iterable<readonly [string, TokenCount]> = []) {
    this.#byModel = new Map(byModel);
  }

  add(model: string, tokens: TokenCount): void {
    const sum = this.#byModel.get(model) ?? noTokens();
    this.#byModel.set(model, addTokens(sum, tokens));
  }

  get durationMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** What is on it now; what is added later does not change it. */
  copy(): Accounting {
    return new Accounting(this.#byModel);
  }

  /** What was added since it was `before`. */
  since(before: Accounting): Accounting {
    return new Accounting(
      Array.from(this.#byModel, ([model, tokens]) => {
        const earlier = before.#byModel.get(model);
        return [model, earlier ? tokensSince(tokens, earlier) : tokens] as const;
      }).filter(([, tokens]) => filledContext(tokens) > 0),
    );
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
      Array.from(this.#byModel, ([model, tokens]) => [model, usageOf(model, tokens)]),
    );
  }
}

function usageOf(model: string, tokens: TokenCount) {
  const { contextWindow, maxOutputTokens } = modelFacts(model);
  const { cache_creation: kept, output_tokens_details: output, server_tool_use: served } = tokens;
  return {
    inputTokens: tokens.input_tokens,
    outputTokens: tokens.output_tokens,
    cacheReadInputTokens: tokens.cache_read_input_tokens,
    cacheCreationInputTokens: tokens.cache_creation_input_tokens,
    webSearchRequests: served?.['web_search_requests'] ?? 0,
    costUSD: costUsd(model, tokens),
    contextWindow,
    maxOutputTokens,
    ...(output ? { thinkingTokens: output['thinking_tokens'] ?? 0 } : {}),
    ...(kept
      ? {
          cacheCreationEphemeral5mInputTokens: kept['ephemeral_5m_input_tokens'] ?? 0,
          cacheCreationEphemeral1hInputTokens: keptLong(tokens),
        }
      : {}),
    canonicalModel: canonicalName(model),
    provider: MODEL_PROVIDER,
    costBasis: isPriced(model) ? 'list' : 'unknown',
  };
}

/** What of it is kept for an hour. */
function keptLong({ cache_creation: kept }: TokenCount): number {
  return kept?.['ephemeral_1h_input_tokens'] ?? 0;
}

function costUsd(model: string, tokens: TokenCount): number {
  const price = modelFacts(model);
  const long = Math.min(keptLong(tokens), tokens.cache_creation_input_tokens);
  const millionths =
    tokens.input_tokens * price.input +
    tokens.output_tokens * price.output +
    (tokens.cache_creation_input_tokens - long) * price.cacheWrite +
    long * price.cacheWrite * LONG_WRITE +
    tokens.cache_read_input_tokens * price.cacheRead;
  return millionths / 1_000_000;
}
