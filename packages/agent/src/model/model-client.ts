import type Anthropic from '@anthropic-ai/sdk';
import type { Messages } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { messageOf, SignalboxError } from '@signalbox/protocol';

/** What the model is asked. */
export type ModelRequest = Omit<Anthropic.Beta.MessageCreateParamsStreaming, 'stream'>;

/** What a failed request means to a host. */
export type ModelFailure =
  | 'authentication_failed'
  | 'rate_limit'
  | 'invalid_request'
  | 'server_error'
  | 'unknown';

/** The model's API could not be asked, refused, or broke off. */
export class ModelError extends SignalboxError {
  readonly failure: ModelFailure;
  readonly status: number | undefined;
  /** How long the API asks us to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    failure: ModelFailure,
    details: { status?: number; retryAfterMs?: number; cause?: unknown },
  ) {
    super('MODEL_FAILED', message, { cause: details.cause });
    this.failure = failure;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    if (this.failure === 'authentication_failed') return false;
    return (
      this.status === undefined ||
      this.status === 408 ||
      this.status === 409 ||
      this.status === 429 ||
      this.status >= 500
    );
  }

  get isOverload(): boolean {
    return this.status === 529;
  }
}

/** The Messages API, reached as the environment says: `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL`. */
export class ModelClient {
  readonly #env: NodeJS.ProcessEnv;
  #client: Promise<Messages> | undefined;

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
      throw new ModelError(what, 'authentication_failed', {});
    }
    try {
      this.#client ??= this.#connect();
      const messages = await this.#client;
      yield* await messages.create({ ...request, stream: true }, { signal });
    } catch (error) {
      if (signal.aborted || error instanceof ModelError) throw error;
      throw asModelError(error);
    }
  }

  /** Loaded when first needed: `--version` and `--help` do without it. */
  async #connect(): Promise<Messages> {
    const { messagesClient } = await import('./messages-client.ts');
    return messagesClient(this.#env);
  }
}

function asModelError(error: unknown): ModelError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  const headers = error instanceof Error && 'headers' in error ? error.headers : undefined;
  const known = typeof status === 'number' ? status : undefined;
  const retryAfterMs = headers instanceof Headers ? retryAfter(headers) : undefined;
  return new ModelError(`API Error: ${messageOf(error)}`, failureOf(known), {
    ...(known === undefined ? {} : { status: known }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    cause: error,
  });
}

function retryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function failureOf(status: number | undefined): ModelFailure {
  if (status === undefined) return 'unknown';
  if (status === 401 || status === 403) return 'authentication_failed';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
