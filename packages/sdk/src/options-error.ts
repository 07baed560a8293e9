import { SignalboxError } from '@signalbox/protocol';

/** Two options contradict each other, or one makes no sense. */
export class OptionsError extends SignalboxError {
  constructor(message: string) {
    super('OPTIONS_INVALID', message);
  }
}
