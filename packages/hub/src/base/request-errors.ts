import { LIMITS, type Limit, SignalboxError } from '@signalbox/protocol';

/** A request is not what the API takes. */
export class RequestInvalidError extends SignalboxError {
  constructor(problem: string) {
    super(
      'REQUEST_INVALID',
      `The request cannot be understood: ${problem}. /api/openapi.json says what is expected.`,
    );
  }
}

/** There is nothing at this path. */
export class RouteNotFoundError extends SignalboxError {
  constructor() {
    super('ROUTE_NOT_FOUND', 'There is nothing at this path. /api/openapi.json lists what there is.');
  }
}

/** A body is longer than the hub takes. */
export class BodyTooLongError extends SignalboxError {
  constructor({ most }: Limit) {
    super('BODY_TOO_LONG', `A request may hold ${most} bytes. Send less.`);
  }
}

/** A body does not arrive. */
export class BodyTooSlowError extends SignalboxError {
  constructor() {
    super('BODY_TOO_SLOW', 'The body of the request takes too long to arrive. Send it at once.');
  }
}

/** A viewer asks for more at once than the hub works on. */
export class TooManyOperationsError extends SignalboxError {
  constructor(limit: number) {
    super(
      'TOO_MANY_OPERATIONS',
      `No more than ${limit} operations of a viewer run at once. Wait for their answers.`,
    );
  }
}

/** A body is not said to be what it has to be. */
export class ContentTypeError extends SignalboxError {
  constructor(expected: string) {
    super('CONTENT_TYPE', `The body has to be ${expected}: send content-type: ${expected}.`);
  }
}

/** An idempotency key came with another request than the first time. */
export class KeyReusedError extends SignalboxError {
  constructor() {
    super(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key belongs to another request. Use a new key for each request.',
    );
  }
}

/** A hub was killed over a request with an idempotency key, and it must not be done again. */
export class OutcomeUnknownError extends SignalboxError {
  constructor() {
    super(
      'OUTCOME_UNKNOWN',
      'The hub ended while it worked on this request, and nobody knows whether it was done. Look whether it was; if not, send it with a new Idempotency-Key.',
    );
  }
}

/** A body has more in it than anything needs that is sent to a hub. */
export class TooManyValuesError extends SignalboxError {
  constructor() {
    super('TOO_MANY_VALUES', `A message holds up to ${LIMITS.bodyValues.most} values. Send less at a time.`);
  }
}
