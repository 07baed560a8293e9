import type { TokenCount } from './token-count.ts';

/** How long the API remembers the beginning of a request. */
const REMEMBERED_S = 5 * 60;

/** How much of a conversation's requests the API remembered from the ones before. */
export class PromptCache {
  #requests = 0;
  #read = 0;
  #written = 0;
  #uncached = 0;
  /** What the API remembers of the last request. */
  #remembered = 0;
  #lastAtMs = 0;
  #misses = 0;
  #missedTokens = 0;
  #lastMissAtMs: number | undefined;

  /** A request was answered. */
  add(usage: TokenCount, nowMs: number): void {
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
    if (this.#remembered > 0 && read === 0) {
      this.#misses += 1;
      this.#missedTokens += written;
      this.#lastMissAtMs = nowMs;
    }
    this.#requests += 1;
    this.#read += read;
    this.#written += written;
    this.#uncached += usage.input_tokens;
    this.#remembered = read + written;
    this.#lastAtMs = nowMs;
  }

  /** In the words of `prompt_cache`, which status lines read; undefined before the first answer. */
  facts(nowMs: number) {
    if (this.#requests === 0) return undefined;
    const expiresAt = seconds(this.#lastAtMs) + REMEMBERED_S;
    const asked = this.#read + this.#written + this.#uncached;
    return {
      warm: this.#remembered > 0 && seconds(nowMs) < expiresAt,
      caching_observed: this.#read + this.#written > 0,
      ttl: '5m',
      expires_at: expiresAt,
      requests: this.#requests,
      misses: this.#misses,
      expected_rebuilds: 0,
      hit_ratio: asked === 0 ? 0 : this.#read / asked,
      cache_write_tokens: this.#written,
      miss_recache_tokens: this.#missedTokens,
      last_miss_at: this.#lastMissAtMs === undefined ? null : seconds(this.#lastMissAtMs),
      last_miss_cause: null,
      miss_causes: {},
      recache_tokens_if_cold: this.#remembered,
    };
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
