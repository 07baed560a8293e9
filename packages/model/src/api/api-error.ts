const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** The `error.type` that the Messages API gives with an HTTP status. */
export function errorTypeOf(status: number): string {
  return TYPE_OF_STATUS[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

/** A refusal in the Messages API's own form; `code` is ours and only appears in the request log. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly code: string | undefined;

  constructor(
    status: number,
    message: string,
    options: { type?: string; headers?: Record<string, string>; code?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.type = options.type ?? errorTypeOf(status);
    this.headers = options.headers ?? {};
    this.code = options.code;
  }

  toBody(requestId: string): unknown {
    return { type: 'error', error: { type: this.type, message: this.message }, request_id: requestId };
  }
}
