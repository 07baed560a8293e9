import { SignalboxError } from '@signalbox/protocol';

/** The transport is closing or closed. */
export class TransportClosedError extends SignalboxError {
  constructor(message = 'The transport is closed.', cause?: unknown) {
    super('TRANSPORT_CLOSED', message, { cause });
  }
}

/** The transport broke and could not be mended. */
export class TransportFailedError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('TRANSPORT_FAILED', message, { cause });
  }
}

/** A line to be sent holds a line end, which would make two lines of it. */
export class LineBreakError extends SignalboxError {
  constructor() {
    super('LINE_HAS_BREAK', 'A line to be sent must not hold a line end. Write JSON without indentation.');
  }
}

/** A transport's lines were asked for twice; each line goes to one consumer. */
export class ReceiveTwiceError extends SignalboxError {
  constructor() {
    super(
      'RECEIVE_TWICE',
      'receive() was called twice. One consumer reads a transport; let it hand lines on.',
    );
  }
}

/** A transport was closed while lines that it had taken could not be delivered. */
export class UndeliveredError extends SignalboxError {
  readonly count: number;

  constructor(count: number) {
    super('LINES_UNDELIVERED', `The transport was closed with ${count} lines that the peer did not get.`);
    this.count = count;
  }
}
