import { type Limit, SignalboxError } from '@signalbox/protocol';

/** What a failed request means to a host. */
export type ModelFailure =
  | 'authentication_failed'
  | 'billing_error'
  | 'rate_limit'
  | 'invalid_request'
  | 'server_error'
  | 'unknown';

/** The model's API could not be asked, refused, or broke off. */
export class ModelError extends SignalboxError {
  readonly failure: ModelFailure;
  readonly status: number | undefined;
  /** What the API calls it. */
  readonly type: string | undefined;
  /** How long the API asks us to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    failure: ModelFailure,
    details: {
      status?: number | undefined;
      type?: string | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super('MODEL_FAILED', message, { cause: details.cause });
    this.failure = failure;
    this.status = details.status;
    this.type = details.type;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    if (this.failure === 'authentication_failed' || this.failure === 'billing_error') return false;
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

/** What a refusal with this status means; without one, nothing was answered. */
export function failureOf(status: number | undefined, message: string): ModelFailure {
  if (status === undefined) return 'unknown';
  // An account without credit is refused as if the request were wrong.
  if (status === 402 || (status === 400 && /credit balance is too low/i.test(message)))
    return 'billing_error';
  if (status === 401 || status === 403) return 'authentication_failed';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** More than a limit came; the same request would bring it again, and so this has a status that says so. */
export function tooLong({ what, most, unit }: Limit): ModelError {
  return new ModelError(
    `API Error: ${what} may have ${most} ${unit}, and this has more.`,
    'invalid_request',
    {
      status: 400,
    },
  );
}
