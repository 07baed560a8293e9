import { messageOf, SignalboxError } from '../errors.ts';

/** What a pending request is rejected with when its channel closes; hosts look for this text. */
export const CLOSED_BEFORE_RESPONSE = 'Tool permission stream closed before response received';

/** The other side answered a control request with an error. */
export class ControlRefusedError extends SignalboxError {
  /** The machine-readable reason, where the other side gives one (`unsupported_request`, `invalid_mode`, …). */
  readonly errorCode: string | undefined;
  /** The whole answer: a second `initialize` is refused with the permission requests that are still open. */
  readonly response: Readonly<Record<string, unknown>>;

  constructor(message: string, response: Readonly<Record<string, unknown>>) {
    super('CONTROL_REFUSED', message);
    this.errorCode = typeof response.error_code === 'string' ? response.error_code : undefined;
    this.response = response;
  }
}

/** No answer came in time. */
export class ControlTimeoutError extends SignalboxError {
  constructor(subtype: string, timeoutMs: number) {
    super('CONTROL_TIMEOUT', `Control request timeout: ${subtype} was not answered within ${timeoutMs} ms.`);
  }
}

/** The caller aborted the request; the other side was told. */
export class ControlAbortedError extends SignalboxError {
  constructor(subtype: string, cause: unknown) {
    super('CONTROL_ABORTED', `Request aborted: ${subtype}.`, { cause });
  }
}

/** The channel closed before the answer came, or was closed already. */
export class ControlClosedError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('CONTROL_CLOSED', message, { cause });
  }
}

/** The answer does not have the shape the request asked for. */
export class ControlAnswerError extends SignalboxError {
  constructor(subtype: string, cause: unknown) {
    super('CONTROL_ANSWER_INVALID', `The answer to ${subtype} has the wrong shape: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** A handler throws this to answer with a machine-readable `error_code` or with more fields beside the text. */
export class ControlRefusal extends Error {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'ControlRefusal';
    this.fields = fields;
  }
}
