import type Anthropic from '@anthropic-ai/sdk';
import { messageOf } from '@signalbox/protocol';
import { postMessages } from './messages-client.ts';
import { ModelError } from './model-error.ts';
import { replyEvents } from './reply-events.ts';

export { ModelError };

/** What the model is asked. */
export type ModelRequest = Omit<Anthropic.Beta.MessageCreateParamsStreaming, 'stream'>;

/** The Messages API, reached as the environment says: `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL`. */
export class ModelClient {
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** Where the credentials come from, as hosts are told. */
  get keySource(): string {
    if (this.#env.ANTHROPIC_API_KEY) return 'ANTHROPIC_API_KEY';
    return this.#env.ANTHROPIC_AUTH_TOKEN ? 'ANTHROPIC_AUTH_TOKEN' : 'none';
  }

  /** The events of one reply. Throws {@link ModelError}; an abort is thrown as it is. */
  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Anthropic.Beta.BetaRawMessageStreamEvent> {
    if (this.keySource === 'none') {
      const what = 'No credentials: set ANTHROPIC_API_KEY, or run "signalbox model" for a scripted model.';
      throw new ModelError(what, 'authentication_failed');
    }
    try {
      yield* replyEvents(await postMessages({ ...request, stream: true }, this.#env, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw new ModelError(`API Error: ${messageOf(error)}`, 'unknown', { cause: error });
    }
  }
}
