import { SignalboxError } from '@signalbox/protocol';

/** A hook could not be run, or what it answered cannot be used. It is told to the person, and the turn goes on. */
export class HookFailure extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('HOOK_FAILED', message, { cause });
  }
}
