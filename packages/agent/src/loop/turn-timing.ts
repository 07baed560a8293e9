import type Anthropic from '@anthropic-ai/sdk';
import { type TokenCount, tokensOf } from './token-count.ts';

/** When a turn asked the model first, and when it heard from it; hosts show how long that took. */
export class TurnTiming {
  readonly startedAt = performance.now();
  #asked: { ms: number; wallMs: number } | undefined;
  #lastAskedAt = this.startedAt;
  #heardMs: number | undefined;
  #contentMs: number | undefined;
  #firstUsage: TokenCount | undefined;

  /** Milliseconds since the turn began. */
  get ms(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  asks(): void {
    this.#lastAskedAt = performance.now();
    this.#asked ??= { ms: this.ms, wallMs: Date.now() };
  }

  /** Milliseconds since the model was asked last. */
  get replyMs(): number {
    return Math.round(performance.now() - this.#lastAskedAt);
  }

  hears(event: Anthropic.Beta.BetaRawMessageStreamEvent): void {
    this.#heardMs ??= this.ms;
    if (event.type === 'message_start') this.#firstUsage ??= tokensOf(event.message.usage);
    if (event.type === 'content_block_delta') this.#contentMs ??= this.ms;
  }

  /** Of a turn in which the model said nothing there is nothing to tell. */
  get fields() {
    const [asked, usage] = [this.#asked, this.#firstUsage];
    if (!asked || !usage || this.#heardMs === undefined) return {};
    const cached = usage.cache_read_input_tokens;
    return {
      ...(this.#contentMs === undefined ? {} : { ttft_ms: this.#contentMs }),
      ttft_stream_ms: this.#heardMs,
      time_to_request_ms: asked.ms,
      request_sent_wall_ms: asked.wallMs,
      first_request_input_tokens: usage.input_tokens + usage.cache_creation_input_tokens + cached,
      first_request_cache_read_input_tokens: cached,
    };
  }
}
