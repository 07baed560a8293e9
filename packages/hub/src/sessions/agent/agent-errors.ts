import { SignalboxError } from '@signalbox/protocol';

/** The agent does not read what it is asked. */
export class AgentNotReadingError extends SignalboxError {
  constructor() {
    super(
      'AGENT_NOT_READING',
      'The agent has not read what it was asked before. Wait until it has, or stop it.',
    );
  }
}
