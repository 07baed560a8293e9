import { messageOf, SignalboxError } from '@signalbox/protocol';

/** The command line cannot be carried out as it is. */
export class UsageError extends SignalboxError {
  constructor(message: string) {
    super('USAGE', message);
  }
}

/** The host reads no more: there is nobody to work for. */
export class HostLostError extends SignalboxError {
  constructor(cause: unknown) {
    super('HOST_LOST', `The host reads no more (${messageOf(cause)}). What was running was ended.`, {
      cause,
    });
  }
}

/** The host sent something that is no message of the protocol; there is no way to go on. */
export class HostInputError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('HOST_INPUT_INVALID', message, { cause });
  }
}

/** A prompt came while as many waited as may. */
export class PromptQueueFullError extends SignalboxError {
  constructor(uuid: string | undefined) {
    super(
      'PROMPT_QUEUE_FULL',
      `Too many prompts wait: the prompt ${uuid ?? ''} was not taken. Send it again after a result.`,
    );
  }
}

/** A conversation could not be made shorter; it is as it was. */
export class CompactionError extends SignalboxError {
  constructor(problem: string, cause?: unknown) {
    super('COMPACTION_FAILED', `The conversation was not compacted: ${problem}.`, { cause });
  }
}
