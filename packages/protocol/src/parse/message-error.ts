import { SignalboxError } from '../errors.ts';
import type { Problem } from './find-problem.ts';

/** A peer's message does not have the shape that its `type` promises. */
export class MessageParseError extends SignalboxError {
  /** Where it is wrong: `message.content[0].signature`. Empty when it is the message as a whole. */
  readonly field: string;
  readonly path: readonly PropertyKey[];
  /** The message as it was received. */
  readonly value: unknown;

  constructor(label: string, value: unknown, problem: Problem) {
    super('MESSAGE_INVALID', `${label}: ${problem.text}`);
    this.field = problem.field;
    this.path = problem.path;
    this.value = value;
  }
}

/** We were about to send something that is not a message of the protocol. */
export class MessageEncodeError extends SignalboxError {
  readonly field: string;
  readonly path: readonly PropertyKey[];

  constructor(label: string, problem: Problem, options?: { cause?: unknown }) {
    super('MESSAGE_NOT_SENDABLE', `${label}: ${problem.text}`, options);
    this.field = problem.field;
    this.path = problem.path;
  }
}
