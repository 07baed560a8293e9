import type Anthropic from '@anthropic-ai/sdk';
import type { HttpLimits } from './http-fetch.ts';
import { ModelError } from './model-error.ts';
import { MODEL_PROVIDER } from './prices.ts';

export { ModelError };

/** What the model is asked. */
export type ModelRequest = Omit<Anthropic.Beta.MessageCreateParamsStreaming, 'stream'>;

/** The Messages API, reached as the environment says: `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL`. */
export class ModelClient {
  readonly #env: NodeJS.ProcessEnv;
  readonly #limits: HttpLimits | undefined;
  readonly #helperKey: string | undefined;

  constructor(
    env: NodeJS.ProcessEnv,
    options: {
      limits?: HttpLimits /** What the `apiKeyHelper` printed. */;
      helperKey?: string | undefined;
    } = {},
  ) {
    this.#env = env;
    this.#limits = options.limits;
    this.#helperKey = options.helperKey || undefined;
  }

  /** Where the credentials come from, as hosts are told. */
  get keySource(): string {
    if (this.#env.ANTHROPIC_API_KEY) return 'ANTHROPIC_API_KEY';
    if (this.#env.ANTHROPIC_AUTH_TOKEN) return 'ANTHROPIC_AUTH_TOKEN';
    return this.#helperKey === undefined ? 'none' : 'apiKeyHelper';
  }

  /** Who pays, as hosts are told when they initialize: where a token and a key come from. */
  get account(): { tokenSource: string; apiKeySource?: string; apiProvider: string } {
    const { ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token } = this.#env;
    const helper = this.#helperKey === undefined ? undefined : 'apiKeyHelper';
    const apiKeySource = key ? 'ANTHROPIC_API_KEY' : helper;
    return {
      tokenSource: token ? 'ANTHROPIC_AUTH_TOKEN' : (helper ?? 'none'),
      ...(apiKeySource === undefined ? {} : { apiKeySource }),
      apiProvider: MODEL_PROVIDER,
    };
  }

  /** The events of one reply. The API may give the request an id. Throws {@link ModelError}; an abort is thrown as it is. */
  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
    onRequestId: (id: string) => void = () => {},
  ): AsyncGenerator<Anthropic.Beta.BetaRawMessageStreamEvent> {
    if (this.keySource === 'none') {
      const what = 'No credentials: set ANTHROPIC_API_KEY, or run "signalbox model" for a scripted model.';
      throw new ModelError(what, 'authentication_failed');
    }
    // Loaded when first needed: `--version` and `--help` do without it.
    const { askMessages } = await import('./messages-client.ts');
    const key = this.keySource === 'apiKeyHelper' ? { ANTHROPIC_API_KEY: this.#helperKey } : {};
    yield* askMessages(request, signal, { ...this.#env, ...key }, onRequestId, this.#limits);
  }
}
