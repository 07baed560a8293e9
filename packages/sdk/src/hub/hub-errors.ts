import { SignalboxError } from '@signalbox/protocol';

/** The hub said no: `reason` is its code, and the message is its own. */
export class HubRefusedError extends SignalboxError {
  readonly reason: string;
  /** The HTTP status; undefined when it was said on the stream. */
  readonly status: number | undefined;

  constructor(reason: string, message: string, status?: number) {
    super('HUB_REFUSED', message);
    this.reason = reason;
    this.status = status;
  }
}

/** Nobody answers at the hub's address. */
export class HubUnreachableError extends SignalboxError {
  constructor(url: string, cause: unknown) {
    super('HUB_UNREACHABLE', `No hub answers at ${url}. Start one with signalbox up, or check the address.`, {
      cause,
    });
  }
}

/** The connection broke before the hub answered something that must not be asked twice. */
export class HubConnectionLostError extends SignalboxError {
  constructor() {
    super(
      'HUB_CONNECTION_LOST',
      'The connection to the hub broke before it answered. Look whether it was done, then ask again.',
    );
  }
}

/** More was to be sent than may wait for the hub to come back. */
export class TooManyWaitingError extends SignalboxError {
  constructor(limit: number) {
    super(
      'HUB_TOO_MANY_WAITING',
      `${limit} messages wait for the hub already. Wait until it is back, or cancel some.`,
    );
  }
}
