import { SignalboxError } from '@signalbox/protocol';

/** Nobody is there who could be asked. */
export class AgentNotConnectedError extends SignalboxError {
  constructor(session: string) {
    super(
      'AGENT_NOT_CONNECTED',
      `No agent is connected to session ${session}. Start one, or wait until it is back.`,
    );
  }
}

/** A session is to be removed while its agent runs, connected or not. */
export class SessionConnectedError extends SignalboxError {
  constructor(session: string) {
    super(
      'SESSION_CONNECTED',
      `The agent of session ${session} is connected, or runs and will be. Stop it, then remove the session.`,
    );
  }
}

/** A second bridge dials in for a session whose own one is there. */
export class SeatTakenError extends SignalboxError {
  constructor(session: string) {
    super(
      'SEAT_TAKEN',
      `Another bridge is connected to session ${session}, with an agent of its own. End that one, or use another session.`,
    );
  }
}
